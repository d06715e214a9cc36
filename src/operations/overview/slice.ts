const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What is counted once and kept. */
export const SLICE_MS = 5 * MINUTE_MS;
/** Slices are added up to blocks, so that a month is as quickly read as a day. */
export const BLOCK_MS = 6 * HOUR_MS;
/** The longest window, the one before it, and a little more. */
export const KEPT_MS = 62 * DAY_MS;

/** How long a window is, and how far apart the points of its chart are: whole slices. */
export const WINDOWS = {
  '24h': { lengthMs: DAY_MS, stepMs: 15 * MINUTE_MS },
  '7d': { lengthMs: 7 * DAY_MS, stepMs: HOUR_MS },
  '30d': { lengthMs: 30 * DAY_MS, stepMs: BLOCK_MS },
} as const;
export type WindowName = keyof typeof WINDOWS;
export const WINDOW_NAMES = Object.keys(WINDOWS) as WindowName[];

export const floorTo = (stepMs: number, ms: number): number => Math.floor(ms / stepMs) * stepMs;

/** A window ends with the step that is under way. The one before it is as much of its time as has passed of this one. */
export function windowAt(name: WindowName, nowMs: number) {
  const { lengthMs, stepMs } = WINDOWS[name];
  const endMs = floorTo(stepMs, nowMs) + stepMs;
  const startMs = endMs - lengthMs;
  const starts = Array.from({ length: lengthMs / stepMs }, (_, place) => startMs + place * stepMs);
  const before = { startMs: startMs - lengthMs, endMs: floorTo(SLICE_MS, nowMs - lengthMs) };
  return { startMs, endMs, stepMs, starts, before };
}
export type Window = ReturnType<typeof windowAt>;

/** A stretch of time: slices up to the first block, blocks, and slices after the last one. */
export interface Cover {
  startMs: number;
  blocksStartMs: number;
  blocksEndMs: number;
  endMs: number;
}

/** The blocks that lie wholly in a time and in what is counted stand for their slices. */
export function coverOf({ startMs, endMs }: { startMs: number; endMs: number }, countedMs: number): Cover {
  const blocksStartMs = floorTo(BLOCK_MS, startMs + BLOCK_MS - 1);
  const blocksEndMs = floorTo(BLOCK_MS, Math.min(endMs, countedMs));
  if (blocksStartMs >= blocksEndMs) return { startMs, blocksStartMs: startMs, blocksEndMs: startMs, endMs };
  return { startMs, blocksStartMs, blocksEndMs, endMs };
}
