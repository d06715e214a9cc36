import { DAY_MS, HOUR_MS, parseTime } from '../../lib/time.ts';
import type { Overview, OverviewWindow } from '../../lib/types.ts';

export interface Bar {
  startMs: number;
  endMs: number;
  approved: number;
  declined: number;
  spend: number;
  spendDigits: number;
}

const NARROWEST_BAR = 12;
/** Possible lengths of a bar: common parts of an hour and of a day. The 30-day window always uses days. */
const BAR_LENGTHS: Record<OverviewWindow, number[]> = {
  '24h': [HOUR_MS, 2 * HOUR_MS, 3 * HOUR_MS],
  '7d': [HOUR_MS, 2 * HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, DAY_MS],
  '30d': [DAY_MS],
};

/**
 * Bars that are wide enough on this screen. They begin at round times, so that they do not flicker as the window moves;
 * the first and the last bar may cover less time.
 */
export function barsOf({ slices, sliceSeconds, window }: Overview, width: number): Bar[] {
  const fit = Math.max(1, Math.floor(width / NARROWEST_BAR));
  const windowMs = slices.length * sliceSeconds * 1_000;
  const lengths = BAR_LENGTHS[window];
  const barMs = lengths.find((each) => windowMs / each <= fit) ?? (lengths.at(-1) as number);
  const bars = new Map<number, Bar>();
  for (const { start, approved, declined, spend } of slices) {
    const startMs = Math.floor(parseTime(start).getTime() / barMs) * barMs;
    const spendDigits = spend.split('.')[1]?.length ?? 0;
    const bar = bars.get(startMs) ?? { startMs, endMs: startMs + barMs, ...NOTHING, spendDigits };
    bar.approved += approved;
    bar.declined += declined;
    bar.spend += Number(spend);
    bars.set(startMs, bar);
  }
  return [...bars.values()];
}

const NOTHING = { approved: 0, declined: 0, spend: 0 };
