import { setImmediate as afterOthers, setTimeout as pause } from 'node:timers/promises';

/** In a quiet process others take less. */
const QUIET_MS = 2;
/** While others are busy, they get so many times as long as the work. */
const SHARE_OF_OTHERS = 7;

/** For long work in memory, so that requests do not wait for its end. */
export interface GivingWay {
  /** Looks whether this process is busy with others: call it from time to time, while nothing of the work itself is under way. */
  look(): Promise<void>;
  /** Call it after each slice of a few milliseconds. */
  pause(): Promise<void>;
}

export function giveWay(): GivingWay {
  let isBusy = false;
  let beganMs = performance.now();
  const othersTake = async () => {
    const lookedMs = performance.now();
    await afterOthers();
    return performance.now() - lookedMs > QUIET_MS;
  };
  return {
    async look() {
      // One long turn may be a garbage collection.
      isBusy = (await othersTake()) && (await othersTake()) && (await othersTake());
      beganMs = performance.now();
    },
    async pause() {
      if (isBusy) await pause((performance.now() - beganMs) * SHARE_OF_OTHERS);
      else await afterOthers();
      beganMs = performance.now();
    },
  };
}
