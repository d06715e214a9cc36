import { setTimeout as pause } from 'node:timers/promises';
import { type Line, type LoadTarget, openLine } from './http-load.ts';
import type { Stage } from './stage.ts';

const LOOKS = 5;
const LOOK_EVERY_MS = 200;

interface Memory {
  heapBytes: number;
  residentBytes: number;
}

/** What is left after garbage collection: the least of several looks, since the answer to a look is garbage too. */
export async function keptMemory(stage: Stage, target: LoadTarget): Promise<Memory> {
  const line = await openLine(target);
  const samples: Memory[] = [];
  for (let look = 0; look < LOOKS; look++) {
    stage.server.collectGarbage();
    await pause(LOOK_EVERY_MS);
    samples.push(await readMemory(line));
  }
  line.close();
  return {
    heapBytes: Math.min(...samples.map((sample) => sample.heapBytes)),
    residentBytes: Math.min(...samples.map((sample) => sample.residentBytes)),
  };
}

export async function readMemory(line: Line): Promise<Memory> {
  const text = await line.send({ method: 'GET', path: '/metrics' });
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    heapBytes: value('nodejs_heap_size_used_bytes'),
    residentBytes: value('process_resident_memory_bytes'),
  };
}

export const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
