import { DAY_MS, formatClock, formatDayShort, HOUR_MS } from './time.ts';
import type { OverviewWindow } from './types.ts';

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
export function timeTicks(
  bars: ReadonlyArray<{ startMs: number; endMs: number }>,
  width: number,
  window: OverviewWindow,
) {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return [];
  const length = last.endMs - first.startMs;
  const distances = DISTANCES[window];
  const distance =
    distances.find((each) => (width * each) / length >= TICK_WIDTH) ?? (distances.at(-1) as number);
  const ticks: Array<{ position: number; text: string }> = [];
  for (let at = Math.ceil(first.startMs / distance) * distance; at < last.endMs; at += distance) {
    const position = ((at - first.startMs) / length) * bars.length;
    if ((position / bars.length) * width > width - TICK_WIDTH / 2) break;
    ticks.push({
      position,
      text: window === '24h' ? formatClock(new Date(at)) : formatDayShort(new Date(at)),
    });
  }
  return ticks;
}
