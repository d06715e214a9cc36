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

/** Called after each request with whether the server answered. */
export const noteAnswer = (answered: boolean): void => change(answered ? null : (lostAt ?? Date.now()));

/** When the server stopped answering; null while it answers. */
const useLostAt = (): number | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => lostAt,
  );

/**
 * For the one component that is always visible. While the server is unavailable it reloads the page's data
 * periodically, and when the server is back it reloads all data that failed.
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
  // The oldest data on the page, apart from the session and the clock.
  const read = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .filter(
      ({ queryKey, state }) => queryKey[0] !== 'session' && queryKey[1] !== 'clock' && state.dataUpdatedAt,
    )
    .map(({ state }) => state.dataUpdatedAt);
  return { lostAt: new Date(lost), shownIsFrom: read.length > 0 ? new Date(Math.min(...read)) : null };
}
