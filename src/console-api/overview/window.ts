import { HOUR_MS } from '../../authorizations/totals/queries.ts';

const DAY_MS = 24 * HOUR_MS;

/**
 * The length of each window, the step of its chart, in whole hours, and how much earlier the period is that it is compared
 * with: a day with the same weekday, because days of the week differ.
 */
const WINDOWS = {
  '24h': { lengthMs: DAY_MS, stepMs: HOUR_MS, earlierMs: 7 * DAY_MS },
  '7d': { lengthMs: 7 * DAY_MS, stepMs: HOUR_MS, earlierMs: 7 * DAY_MS },
  '30d': { lengthMs: 30 * DAY_MS, stepMs: 6 * HOUR_MS, earlierMs: 30 * DAY_MS },
} as const;
/** Each figure has a line of its days before today. */
const DAYS_BEFORE = 30;
export type WindowName = keyof typeof WINDOWS;
export const DEFAULT_WINDOW = '7d';
export const WINDOW_NAMES = Object.keys(WINDOWS) as WindowName[];

const floorTo = (stepMs: number, ms: number): number => Math.floor(ms / stepMs) * stepMs;

/**
 * A window ends with the current step. The period for comparison is as long as the elapsed part of the window, to the
 * nearest hour.
 */
export function windowAt(name: WindowName, nowMs: number) {
  const { lengthMs, stepMs, earlierMs } = WINDOWS[name];
  const endMs = floorTo(stepMs, nowMs) + stepMs;
  const startMs = endMs - lengthMs;
  const starts = Array.from({ length: lengthMs / stepMs }, (_, index) => startMs + index * stepMs);
  const before = { startMs: startMs - earlierMs, endMs: floorTo(HOUR_MS, nowMs - earlierMs + HOUR_MS / 2) };
  const todayMs = floorTo(DAY_MS, nowMs);
  const days = { startMs: todayMs - DAYS_BEFORE * DAY_MS, endMs: todayMs };
  return { startMs, endMs, stepMs, starts, before, days, dayStarts: startsOf(days) };
}

const startsOf = ({ startMs, endMs }: { startMs: number; endMs: number }): number[] =>
  Array.from({ length: (endMs - startMs) / DAY_MS }, (_, index) => startMs + index * DAY_MS);
