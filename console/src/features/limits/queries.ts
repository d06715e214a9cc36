import { queryOptions, useQuery } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import type { SpendControlsUse, SupportLimits } from '../../lib/types.ts';

export const supportLimitsQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'support-limits'],
    queryFn: ({ signal }) => programApi(programId).get<SupportLimits>('support-limits/', {}, signal),
    staleTime: 60_000,
  });

/** Under the card's key: every change of the card reads it anew. */
export const usedControlsQuery = (programId: string, cardId: string) =>
  queryOptions({
    queryKey: [programId, 'cards', cardId, 'spend-controls'],
    queryFn: ({ signal }) =>
      programApi(programId).get<SpendControlsUse>(
        `merchant/cards/${encodeURIComponent(cardId)}/spend-controls/`,
        {},
        signal,
      ),
    refetchInterval: 15_000,
  });

/** How far the operator may raise limits; null: no bound. Undefined while it loads. */
export function useBounds(): SupportLimits | null | undefined {
  const isBound = !useMay('manager');
  const { data } = useQuery({ ...supportLimitsQuery(useProgram().id), enabled: isBound });
  return isBound ? data : null;
}
