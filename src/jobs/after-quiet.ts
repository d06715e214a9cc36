/** The longest time that derived data may lag behind records that no row announces. */
const LONGEST_MS = 3_600_000;

/**
 * When to look again for records that no row announces: the longer none came, the later, between `soonestMs` and an hour.
 * Readers count what is missing, so a program pays for its records and not for its existence.
 */
export const nextAfterQuiet = (nowMs: number, quietMs: number, soonestMs: number): number =>
  nowMs + Math.min(Math.max(quietMs, soonestMs), LONGEST_MS);
