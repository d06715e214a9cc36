import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** The share of time that this process is busy. A report alone stays far below it. */
const BUSY = 0.8;
const LOOK_EVERY_MS = 100;
const PAUSE_MS = 100;

/**
 * Reports must not delay authorizations. While this process is busy, the stream pauses between two chunks.
 * PostgreSQL writes no faster than the process reads, so its CPU is free for other queries. Call the result after each
 * chunk.
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
