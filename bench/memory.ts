import { consumerCard } from '../test/support/cards.ts';
import type { Figure } from './figures.ts';
import { type Line, type LoadRequest, openLine, sendLoad } from './http-load.ts';
import type { Stage } from './stage.ts';

const CARDS = '/api/v1/merchant/cards/';
const CONNECTIONS = 16;
const SAMPLE_EVERY_MS = 100;
const AT_MOST = 1.15;

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
  const line = await openLine(target);
  try {
    const ids: string[] = [];
    for (let i = 0; i < 100; i++)
      ids.push(JSON.parse(await line.send({ method: 'POST', path: CARDS, body: consumerCard() })).id);
    const mixed = (place: number) => mixedRequest(ids, place);
    // The last tenth of either stretch is watched: garbage comes and goes, the least it falls to is what is kept.
    const window = total / 10;
    await sendLoad(target, CONNECTIONS, warm - window, mixed);
    const before = await leastMemory(line, sendLoad(target, CONNECTIONS, window, mixed));
    await sendLoad(target, CONNECTIONS, total - warm - window, mixed);
    const after = await leastMemory(line, sendLoad(target, CONNECTIONS, window, mixed));
    return [
      growth('heap', total, warm, before.heapBytes, after.heapBytes),
      growth('resident memory', total, warm, before.residentBytes, after.residentBytes),
    ];
  } finally {
    line.close();
  }
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

async function leastMemory(line: Line, load: Promise<unknown>): Promise<Memory> {
  let under = true;
  const done = load.finally(() => {
    under = false;
  });
  const samples: Memory[] = [];
  while (under) {
    samples.push(await readMemory(line));
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS))]);
  }
  await done;
  return {
    heapBytes: Math.min(...samples.map((sample) => sample.heapBytes)),
    residentBytes: Math.min(...samples.map((sample) => sample.residentBytes)),
  };
}

async function readMemory(line: Line): Promise<Memory> {
  const text = await line.send({ method: 'GET', path: '/metrics' });
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    heapBytes: value('nodejs_heap_size_used_bytes'),
    residentBytes: value('process_resident_memory_bytes'),
  };
}

const growth = (what: string, total: number, warm: number, before: number, after: number): Figure => ({
  name: `${what} after ${total.toLocaleString('en')} requests`,
  measured: mebibytes(after),
  against: `after ${warm.toLocaleString('en')} requests ${mebibytes(before)}`,
  ratio: after / before,
  limit: { atMost: AT_MOST },
});

const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
