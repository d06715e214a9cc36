import { setImmediate as afterOthers, setTimeout as pause } from 'node:timers/promises';

/** In a quiet process others take less. */
const QUIET_MS = 2;
/** While others are busy, they get so many times as long as the work. */
const SHARE_OF_OTHERS = 6;

/** For long work in memory: call the result after each slice of a few milliseconds, so that requests do not wait for its end. */
export function giveWay(): () => Promise<void> {
  let beganMs = performance.now();
  return async () => {
    const endedMs = performance.now();
    await afterOthers();
    if (performance.now() - endedMs > QUIET_MS) await pause((endedMs - beganMs) * SHARE_OF_OTHERS);
    beganMs = performance.now();
  };
}
