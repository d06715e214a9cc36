import { useSyncExternalStore } from 'react';
import { useClockOffset } from './program.ts';

const TICK_MS = 15_000;
let current = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** One timer for all times on the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    current = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current program time: a sandbox's clock may be ahead. */
export function useNow(): Date {
  const now = useSyncExternalStore(subscribe, () => current);
  return new Date(now + useClockOffset());
}
