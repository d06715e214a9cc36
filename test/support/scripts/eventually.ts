import { vi } from 'vitest';

/** Waits for a condition; a slow machine is no failure. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 40_000, interval: 10 });
