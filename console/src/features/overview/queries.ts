import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Live, LiveEvent, Overview, OverviewWindow } from '../../lib/types.ts';

const OVERVIEW_EVERY_MS = 10_000;
const LIVE_EVERY_MS = 2_000;
const SHOWN_EVENTS = 60;

/** Refreshed while the page is visible; a hidden tab does not poll. */
export const overviewQuery = (programId: string, window: OverviewWindow | undefined) =>
  queryOptions({
    queryKey: [programId, 'overview', window],
    queryFn: ({ signal }) => programApi(programId).get<Overview>('overview/', { window }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: OVERVIEW_EVERY_MS,
  });

/** Each request continues at the cursor of the last answer; earlier events stay in the list. */
export const liveQuery = (programId: string, queryClient: QueryClient, paused: boolean) => {
  const queryKey = [programId, 'live'];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Live> => {
      const api = programApi(programId);
      const known = queryClient.getQueryData<Live>(queryKey);
      const after = known?.cursor ?? dayBefore((await api.get<Live>('live/', {}, signal)).cursor);
      const { events, cursor } = await api.get<Live>('live/', { after }, signal);
      return { events: merge(events, known?.events ?? []), cursor };
    },
    refetchInterval: paused ? false : LIVE_EVERY_MS,
    staleTime: 0,
  });
};

function merge(fresh: LiveEvent[], known: LiveEvent[]): LiveEvent[] {
  const ids = new Set(known.map(({ id }) => id));
  return [...fresh.filter(({ id }) => !ids.has(id)), ...known]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, SHOWN_EVENTS);
}

/**
 * A cursor is an id that begins with its time: this returns one a day earlier, so that the feed opens with recent
 * events.
 */
function dayBefore(cursor: string): string {
  const hex = cursor.replaceAll('-', '');
  const at = Math.max(0, Number.parseInt(hex.slice(0, 12), 16) - DAY_MS);
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
