import { type Figure, median } from './figures.ts';
import { type Line, openLine } from './http-load.ts';
import type { Stage } from './stage.ts';

const DAY_MS = 86_400_000;
const PAGE_SIZE = 50;

export interface ListComparison {
  /** The list's path. */
  path: string;
  small: { key: string; label: string };
  large: { key: string; label: string; count: number };
  /** The long list's records are spread over so many days from here. */
  from: Date;
  days: number;
  rounds: number;
  atMost: number;
}

/** Every page of a long list against the first page of a short one. */
export async function timeLists(stage: Stage, lists: ListComparison): Promise<Figure[]> {
  const { path, small, large, atMost } = lists;
  const smallLine = await openLine({ url: stage.server.url, key: small.key });
  const largeLine = await openLine({ url: stage.server.url, key: large.key });
  try {
    const firstMs = await timeRequest(largeLine, path);
    await milestonesSettle(smallLine, largeLine, path);
    const times = await timePages(smallLine, largeLine, lists);
    const base = median(times.get('small') as number[]);
    const against = `first page of ${small.label} ${milliseconds(base)}`;
    const figure = (name: string, ms: number): Figure => ({
      name: `${name} of ${large.label}`,
      measured: milliseconds(ms),
      against,
      ratio: ms / base,
    });
    const pages = [...times].filter(([name]) => name !== 'small');
    return [
      figure('very first request', firstMs),
      ...pages.map(([name, values]) => ({ ...figure(name, median(values)), limit: { atMost } })),
    ];
  } finally {
    smallLine.close();
    largeLine.close();
  }
}

/** Addresses that change from round to round, so that no answer is that of the round before. */
function pagesOf({ path, large: { count }, from, days }: ListComparison): Record<string, () => string> {
  const pages = Math.ceil(count / PAGE_SIZE);
  const somewhere = (low: number, high: number) => Math.floor(low + Math.random() * (high - low));
  const day = () => new Date(from.getTime() + somewhere(1, days - 1) * DAY_MS).toISOString().slice(0, 10);
  const between = () => {
    const [low, high] = [day(), day()].sort();
    return `min_created=${low}&max_created=${high}`;
  };
  return {
    'first page': () => path,
    'middle page': () => `${path}?page=${somewhere(pages * 0.3, pages * 0.7)}`,
    'last page': () => `${path}?page=${pages}`,
    'page between dates': () => `${path}?${between()}`,
    'deep page between dates': () => `${path}?${between()}&page=${Math.min(1000, pages / 100)}`,
  };
}

/** One request of every kind in turn, so that all run under the same conditions. */
async function timePages(small: Line, large: Line, lists: ListComparison): Promise<Map<string, number[]>> {
  const { path: list, rounds } = lists;
  const pages = pagesOf(lists);
  const times = new Map<string, number[]>();
  const note = (name: string, ms: number) => times.set(name, [...(times.get(name) ?? []), ms]);
  const middle = await large.send({ method: 'GET', path: `${list}?page=500` });
  let { next } = JSON.parse(middle) as { next: string | null };
  for (let round = -10; round < rounds; round++) {
    const keep = round < 0 ? () => {} : note;
    keep('small', await timeRequest(small, list));
    for (const [name, path] of Object.entries(pages)) keep(name, await timeRequest(large, path()));
    const path = next ? new URL(next).pathname + new URL(next).search : list;
    const sent = performance.now();
    const body = await large.send({ method: 'GET', path });
    keep('walking by next', performance.now() - sent);
    ({ next } = JSON.parse(body));
  }
  return times;
}

async function timeRequest(line: Line, path: string): Promise<number> {
  const sent = performance.now();
  await line.send({ method: 'GET', path });
  return performance.now() - sent;
}

/** The first request starts the creation of milestones; after it both lists take about as long. */
async function milestonesSettle(small: Line, large: Line, list: string): Promise<void> {
  for (const endMs = Date.now() + 180_000; Date.now() < endMs; )
    if ((await timeRequest(large, list)) < 3 * (await timeRequest(small, list))) return;
  throw new Error('the long list does not become fast');
}

const milliseconds = (ms: number): string => `${ms.toFixed(1)} ms`;
