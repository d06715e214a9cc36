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

const NARROWEST_BAR = 5;

/** One bar for each slice, or for a few of them together where the screen is too narrow to tell them apart. */
export function barsOf({ slices, sliceSeconds }: Overview, width: number): Bar[] {
  const fit = Math.max(1, Math.floor(width / NARROWEST_BAR));
  const size = Math.max(1, Math.ceil(slices.length / fit));
  const bars: Bar[] = [];
  for (let from = 0; from < slices.length; from += size) {
    const part = slices.slice(from, from + size);
    const startMs = part[0] ? parseTime(part[0].start).getTime() : 0;
    bars.push({
      startMs,
      endMs: startMs + part.length * sliceSeconds * 1_000,
      approved: sum(part.map(({ approved }) => approved)),
      declined: sum(part.map(({ declined }) => declined)),
      spend: sum(part.map(({ spend }) => Number(spend))),
      spendDigits: part[0]?.spend.split('.')[1]?.length ?? 0,
    });
  }
  return bars;
}

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);

/** The next number that divides well into four. */
export function niceCeiling(value: number): number {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10];
  return (steps.find((step) => step * power >= value) ?? 10) * power;
}

const HOUR_MS = DAY_MS / 24;
const TICK_WIDTH = 64;
/** How far apart the labels may stand. */
const DISTANCES: Record<OverviewWindow, number[]> = {
  '24h': [2 * HOUR_MS, 4 * HOUR_MS, 6 * HOUR_MS],
  '7d': [DAY_MS, 2 * DAY_MS, 3 * DAY_MS],
  '30d': [2 * DAY_MS, 4 * DAY_MS, 7 * DAY_MS, 10 * DAY_MS],
};

/** Labels at full hours or days, as many as there is room for. */
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
