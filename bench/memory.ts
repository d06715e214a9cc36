import { setTimeout as pause } from 'node:timers/promises';
import { consumerCard } from '../test/support/cards.ts';
import type { Figure } from './figures.ts';
import { type Line, type LoadRequest, type LoadTarget, openLine, sendLoad } from './http-load.ts';
import type { Stage } from './stage.ts';

const CARDS = '/api/v1/merchant/cards/';
const CONNECTIONS = 16;
const LOOKS = 5;
const LOOK_EVERY_MS = 200;
const AT_MOST = { heap: 1.15, resident: 1.25 };

interface Memory {
  heapBytes: number;
  residentBytes: number;
}

/** The server's memory after a warm-up against its memory after five times as many requests. */
export async function benchMemory(stage: Stage, quick: boolean): Promise<Figure[]> {
  const total = quick ? 10_000 : 100_000;
  const warm = total / 5;
  const { key } = await stage.addProgram('Memory');
  const target = { url: stage.server.url, key };
  const ids = await createCards(target, 100);
  const mixed = (place: number) => mixedRequest(ids, place);
  await sendLoad(target, CONNECTIONS, warm, mixed);
  const before = await keptMemory(stage, target);
  await sendLoad(target, CONNECTIONS, total - warm, mixed);
  const after = await keptMemory(stage, target);
  return [
    growth('heap', AT_MOST.heap, total, warm, before.heapBytes, after.heapBytes),
    growth('resident memory', AT_MOST.resident, total, warm, before.residentBytes, after.residentBytes),
  ];
}

async function createCards(target: LoadTarget, count: number): Promise<string[]> {
  const line = await openLine(target);
  const ids: string[] = [];
  while (ids.length < count)
    ids.push(JSON.parse(await line.send({ method: 'POST', path: CARDS, body: consumerCard() })).id);
  line.close();
  return ids;
}

function mixedRequest(ids: string[], place: number): LoadRequest {
  const id = ids[(place * 7) % ids.length];
  switch (place % 4) {
    case 0:
      return { method: 'POST', path: CARDS, body: consumerCard() };
    case 1:
      return { method: 'GET', path: CARDS };
    case 2:
      return { method: 'GET', path: `${CARDS}${id}/` };
    default:
      return { method: 'PUT', path: `${CARDS}${id}/freeze/`, body: { freeze: place % 8 === 3 } };
  }
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

const growth = (
  what: string,
  atMost: number,
  total: number,
  warm: number,
  before: number,
  after: number,
): Figure => ({
  name: `${what} after ${total.toLocaleString('en')} requests`,
  measured: mebibytes(after),
  against: `after ${warm.toLocaleString('en')} requests ${mebibytes(before)}`,
  ratio: after / before,
  limit: { atMost },
});

export const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
