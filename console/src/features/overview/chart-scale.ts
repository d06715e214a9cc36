import { DAY_MS, formatClock, formatDayShort, parseTime } from '../../lib/time.ts';
import type { Overview, OverviewWindow } from '../../lib/types.ts';

export interface Bar {
  startMs: number;
  endMs: number;
  approved: number;
  declined: number;
  spend: number;
  spendDigits: number;
}

const HOUR_MS = DAY_MS / 24;
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

/** The next number that divides well into four. */
export function niceCeiling(value: number): number {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10];
  return (steps.find((step) => step * power >= value) ?? 10) * power;
}

const TICK_WIDTH = 64;
/** Possible distances between labels. */
const DISTANCES: Record<OverviewWindow, number[]> = {
  '24h': [2 * HOUR_MS, 4 * HOUR_MS, 6 * HOUR_MS],
  '7d': [DAY_MS, 2 * DAY_MS, 3 * DAY_MS],
  '30d': [2 * DAY_MS, 4 * DAY_MS, 7 * DAY_MS, 10 * DAY_MS],
};

/** Labels at full hours or days, as many as fit. */
export function timeTicks(bars: Bar[], width: number, window: OverviewWindow) {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return [];
  const length = last.endMs - first.startMs;
  const distances = DISTANCES[window];
  const distance =
    distances.find((each) => (width * each) / length >= TICK_WIDTH) ?? (distances.at(-1) as number);
  const ticks: Array<{ place: number; text: string }> = [];
  for (let at = Math.ceil(first.startMs / distance) * distance; at < last.endMs; at += distance) {
    const place = ((at - first.startMs) / length) * bars.length;
    if ((place / bars.length) * width > width - TICK_WIDTH / 2) break;
    ticks.push({ place, text: window === '24h' ? formatClock(new Date(at)) : formatDayShort(new Date(at)) });
  }
  return ticks;
}
