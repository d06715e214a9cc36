import { dayOf, dayStartMs, MS_PER_DAY } from '../../kernel/calendar.ts';
import type { Velocity, Window } from '../language/condition.ts';
import type { Entry } from './entries.ts';

/** What a velocity counts for one subject. */
export interface Sum {
  /** Entries before this time have left the window. */
  sinceMs: number;
  count: number;
  minor: bigint;
}

const MS_PER_MINUTE = 60_000;
/** 1 January 1970 was a Thursday. */
const DAYS_AFTER_MONDAY = 3;

/** The first millisecond of the window that ends at a time: of minutes, or the UTC day, week or month. */
export function windowStartMs(window: Window, nowMs: number): number {
  if ('minutes' in window) return Math.floor(nowMs) - window.minutes * MS_PER_MINUTE + 1;
  const days = Math.floor(nowMs / MS_PER_DAY);
  switch (window.calendar) {
    case 'DAY':
      return days * MS_PER_DAY;
    case 'WEEK':
      return (days - ((days + DAYS_AFTER_MONDAY) % 7)) * MS_PER_DAY;
    case 'MONTH':
      return dayStartMs(`${dayOf(nowMs).slice(0, 7)}-01`);
  }
}

export const emptySum = (window: Window, nowMs: number): Sum => ({
  sinceMs: windowStartMs(window, nowMs),
  count: 0,
  minor: 0n,
});

/** More than the times of one transaction's entries are ahead of its attempts. */
const AHEAD_MS = MS_PER_MINUTE;

/**
 * The sum at a time. A calendar window begins anew; of a window of minutes the entries are taken out that have left it, so
 * each is read once. After a whole window without a change all have left it, and may be deleted. `stored`: the subject's
 * entries of this velocity since the sum's start, at least those that leave. The clocks of two servers may differ a little, so a
 * window never goes back.
 */
export function advanceSum(sum: Sum, window: Window, nowMs: number, stored: Iterable<Entry>): Sum {
  const sinceMs = windowStartMs(window, nowMs);
  if (sinceMs <= sum.sinceMs) return sum;
  const isAnew = !('minutes' in window) || sinceMs - sum.sinceMs > window.minutes * MS_PER_MINUTE + AHEAD_MS;
  if (isAnew) return { sinceMs, count: 0, minor: 0n };
  let { count, minor } = sum;
  for (const entry of stored)
    if (entry.atMs >= sum.sinceMs && entry.atMs < sinceMs) {
      count -= entry.count;
      minor -= entry.minor;
    }
  return { sinceMs, count, minor };
}

/** The sum after an entry was added (1) or taken out (-1). An entry that has left the window changes nothing. */
export const withEntry = (sum: Sum, { atMs, count, minor }: Entry, sign: 1 | -1): Sum =>
  atMs < sum.sinceMs
    ? sum
    : {
        sinceMs: sum.sinceMs,
        count: sum.count + sign * count,
        minor: sign < 0 ? sum.minor - minor : sum.minor + minor,
      };

/** What a rule compares. */
export const measured = ({ measure }: Pick<Velocity, 'measure'>, { count, minor }: Sum): bigint =>
  measure === 'AMOUNT' ? minor : BigInt(count);
