import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';

const RETRY_EVERY_MS = 3_000;

let lostAt: number | null = null;
const listeners = new Set<() => void>();

function change(next: number | null): void {
  if (next === lostAt) return;
  lostAt = next;
  for (const listener of listeners) listener();
}

/** Each request says whether the server answered it. */
export const noteAnswer = (answered: boolean): void => change(answered ? null : (lostAt ?? Date.now()));

/** Since when the server has not answered; null while it does. */
const useLostAt = (): number | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => lostAt,
  );

/**
 * For the one place that is always on the screen. While the server is away the page asks again by itself, and once more
 * when it is back: what failed in between must not stay so.
 */
export function useConnection(): { lostAt: Date | null; shownIsFrom: Date | null } {
  const queryClient = useQueryClient();
  const lost = useLostAt();
  useEffect(() => {
    if (lost === null) return;
    const again = () => queryClient.refetchQueries({ type: 'active' }, { cancelRefetch: false });
    const timer = setInterval(() => void again(), RETRY_EVERY_MS);
    return () => {
      clearInterval(timer);
      void queryClient.refetchQueries(
        { type: 'active', predicate: ({ state }) => state.error !== null || state.fetchFailureCount > 0 },
        { cancelRefetch: true },
      );
    };
  }, [lost, queryClient]);
  if (lost === null) return { lostAt: null, shownIsFrom: null };
  // The oldest of what is on the page: the session and the clock are not what is looked at.
  const read = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .filter(
      ({ queryKey, state }) => queryKey[0] !== 'session' && queryKey[1] !== 'clock' && state.dataUpdatedAt,
    )
    .map(({ state }) => state.dataUpdatedAt);
  return { lostAt: new Date(lost), shownIsFrom: read.length > 0 ? new Date(Math.min(...read)) : null };
}
