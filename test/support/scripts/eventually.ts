import { vi } from 'vitest';

/** Waits for a condition; a slow machine is no failure. */
export const eventually = <T>(check: () => T | Promise<T>, timeout = 60_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 10 });

/**
 * The shortest of several attempts, which take turns until one stays under the limit: a busy machine is slow now and
 * then, and a delay of our own is there each time.
 */
export async function shortestMs(limitMs: number, attempt: () => Promise<number>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 10 && shortest >= limitMs; tries++)
    shortest = Math.min(shortest, await attempt());
  return shortest;
}
