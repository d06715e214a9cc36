import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** Of the time, spent at work by this process. A report alone stays far below. */
const BUSY = 0.8;
const LOOK_EVERY_MS = 100;
const PAUSE_MS = 100;

/**
 * A report can wait, an authorization cannot: while this process has much else to do, the stream rests between two
 * stretches, and PostgreSQL, which writes no faster than we read, leaves its processor to others. Call the result after
 * each stretch.
 */
export function yieldToOthers(): () => Promise<void> {
  let seen = performance.eventLoopUtilization();
  let busy = false;
  return async () => {
    const now = performance.eventLoopUtilization();
    const since = performance.eventLoopUtilization(now, seen);
    if (since.active + since.idle >= LOOK_EVERY_MS) {
      busy = since.utilization > BUSY;
      seen = now;
    }
    if (busy) await pause(PAUSE_MS);
  };
}
