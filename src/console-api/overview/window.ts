import { HOUR_MS } from '../../authorizations/totals/queries.ts';

const DAY_MS = 24 * HOUR_MS;

/** The length of each window and the step of its chart, in whole hours. */
const WINDOWS = {
  '24h': { lengthMs: DAY_MS, stepMs: HOUR_MS },
  '7d': { lengthMs: 7 * DAY_MS, stepMs: HOUR_MS },
  '30d': { lengthMs: 30 * DAY_MS, stepMs: 6 * HOUR_MS },
} as const;
export type WindowName = keyof typeof WINDOWS;
export const WINDOW_NAMES = Object.keys(WINDOWS) as WindowName[];

const floorTo = (stepMs: number, ms: number): number => Math.floor(ms / stepMs) * stepMs;

/**
 * A window ends with the current step. The period before it, for comparison, is as long as the elapsed part of the
 * window, to the nearest hour.
 */
export function windowAt(name: WindowName, nowMs: number) {
  const { lengthMs, stepMs } = WINDOWS[name];
  const endMs = floorTo(stepMs, nowMs) + stepMs;
  const startMs = endMs - lengthMs;
  const starts = Array.from({ length: lengthMs / stepMs }, (_, index) => startMs + index * stepMs);
  const before = { startMs: startMs - lengthMs, endMs: floorTo(HOUR_MS, nowMs - lengthMs + HOUR_MS / 2) };
  return { startMs, endMs, stepMs, starts, before };
}
