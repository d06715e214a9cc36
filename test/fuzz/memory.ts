import { setTimeout as pause } from 'node:timers/promises';
import type { Stage } from './stage.ts';

/** The share of a run after which code is compiled, pools are open and caches are filled. */
const WARM_AFTER = 1 / 3;
/**
 * What the server keeps may be this much more at the end than once it was warm, however many requests came between:
 * this allows for caches that fill up later, and not for memory that every request leaves.
 */
const MOST_GROWTH_MB = 24;
const LOOKS = 5;
const LOOK_EVERY_MS = 200;

export interface MemoryReport {
  /** The memory once the server is warm, and at the end: after a collection, with buffers outside the heap. */
  keptWarmMb: number;
  keptMb: number;
  /** The most memory of the process, including garbage. */
  mostResidentMb: number;
}

export interface MemoryWatch {
  /** After every answer. */
  onSent(sent: number): void;
  stop(): Promise<MemoryReport>;
}

export function watchMemory(stage: Stage, requests: number): MemoryWatch {
  const warmAt = Math.ceil(requests * WARM_AFTER);
  let warm: Promise<number> | undefined;
  let mostResidentMb = 0;
  let isOver = false;
  const watched = (async () => {
    while (!isOver && !stage.hasEnded()) {
      mostResidentMb = Math.max(mostResidentMb, stage.residentMb());
      await pause(1_000);
    }
  })();
  return {
    onSent: (sent) => {
      if (sent >= warmAt) warm ??= readKept(stage);
    },
    stop: async () => {
      isOver = true;
      await watched;
      const [keptWarmMb, keptMb] = [await (warm ?? Number.NaN), await readKept(stage)];
      return { keptWarmMb, keptMb, mostResidentMb };
    },
  };
}

/** The least of several measurements, so that requests in progress do not count. */
export async function readKept(
  stage: Pick<Stage, 'collectGarbage' | 'keptMb' | 'hasEnded'>,
): Promise<number> {
  const looks: number[] = [];
  while (looks.length < LOOKS && !stage.hasEnded()) {
    stage.collectGarbage();
    await pause(LOOK_EVERY_MS);
    looks.push(await stage.keptMb());
  }
  return Math.min(...looks);
}

export const memoryFaults = ({ keptWarmMb, keptMb }: MemoryReport): string[] =>
  keptMb - keptWarmMb > MOST_GROWTH_MB
    ? [`the server keeps ${keptMb.toFixed(0)} MB, and kept ${keptWarmMb.toFixed(0)} when it was warm`]
    : [];
