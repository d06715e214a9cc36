import { type Figure, median } from './figures.ts';
import { fillCards } from './fill-cards.ts';
import { type Line, openLine } from './http-load.ts';
import type { Stage } from './stage.ts';
import { DESIGN } from './stage.ts';

const DAY_MS = 86_400_000;
const DAYS = 300;
const LIST = '/api/v1/merchant/cards/';
const PAGE_SIZE = 50;
const AT_MOST = 1.5;
const FILL_LIMIT_S = 120;

type Pages = Record<string, () => string>;

/** Every page of a long list against the first page of a short one. */
export async function benchListCards(stage: Stage, quick: boolean): Promise<Figure[]> {
  const count = quick ? 100_000 : 1_000_000;
  const large = await stage.addProgram('Large');
  const small = await stage.addProgram('Small');
  const to = new Date(Date.now() - DAY_MS / 24);
  const from = new Date(to.getTime() - DAYS * DAY_MS);
  await fillCards(stage.db, stage.vault, small.program, { designId: DESIGN, count: 1_000, from, to });
  const started = performance.now();
  await fillCards(stage.db, stage.vault, large.program, { designId: DESIGN, count, from, to });
  const fillS = (performance.now() - started) / 1000;

  const smallLine = await openLine({ url: stage.server.url, key: small.key });
  const largeLine = await openLine({ url: stage.server.url, key: large.key });
  try {
    const firstMs = await timeRequest(largeLine, LIST);
    await milestonesSettle(smallLine, largeLine);
    const times = await timePages(smallLine, largeLine, pagesOf(count, from), quick ? 50 : 300);
    const base = median(times.get('small') as number[]);
    const figures: Figure[] = [fillFigure(count, fillS), firstRequestFigure(count, firstMs, base)];
    for (const [name, values] of times)
      if (name !== 'small') figures.push(pageFigure(`${name} of ${label(count)}`, median(values), base));
    return figures;
  } finally {
    smallLine.close();
    largeLine.close();
  }
}

/** Addresses that change from round to round, so that no answer is that of the round before. */
function pagesOf(count: number, from: Date): Pages {
  const pages = count / PAGE_SIZE;
  const somewhere = (low: number, high: number) => Math.floor(low + Math.random() * (high - low));
  const day = () => new Date(from.getTime() + somewhere(1, DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  return {
    'first page': () => LIST,
    'middle page': () => `${LIST}?page=${somewhere(pages * 0.3, pages * 0.7)}`,
    'last page': () => `${LIST}?page=${pages}`,
    'page between dates': () => {
      const [low, high] = [day(), day()].sort();
      return `${LIST}?min_created=${low}&max_created=${high}`;
    },
    'deep page between dates': () => {
      const [low, high] = [day(), day()].sort();
      return `${LIST}?min_created=${low}&max_created=${high}&page=${Math.min(1000, pages / 100)}`;
    },
  };
}

/** One request of every kind in turn, so that all of them meet the same weather. */
async function timePages(
  small: Line,
  large: Line,
  pages: Pages,
  rounds: number,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  const note = (name: string, ms: number) => times.set(name, [...(times.get(name) ?? []), ms]);
  let next = (
    JSON.parse(await large.send({ method: 'GET', path: `${LIST}?page=5000` })) as { next: string | null }
  ).next;
  for (let round = -10; round < rounds; round++) {
    const keep = round < 0 ? () => {} : note;
    keep('small', await timeRequest(small, LIST));
    for (const [name, path] of Object.entries(pages)) keep(name, await timeRequest(large, path()));
    const path = next ? new URL(next).pathname + new URL(next).search : LIST;
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

/** The first request set the milestones going; once they are there, both lists take about as long. */
async function milestonesSettle(small: Line, large: Line): Promise<void> {
  for (const endMs = Date.now() + 60_000; Date.now() < endMs; )
    if ((await timeRequest(large, LIST)) < 3 * (await timeRequest(small, LIST))) return;
  throw new Error('the long list does not become fast');
}

const label = (count: number): string => (count === 1_000_000 ? '1,000,000' : count.toLocaleString('en'));

const fillFigure = (count: number, seconds: number): Figure => ({
  name: `fill ${label(count)} cards`,
  measured: `${seconds.toFixed(0)} s`,
  against: `${FILL_LIMIT_S} s`,
  ratio: seconds / FILL_LIMIT_S,
  limit: { atMost: 1 },
});

const firstRequestFigure = (count: number, ms: number, base: number): Figure => ({
  name: `very first request on ${label(count)} cards`,
  measured: milliseconds(ms),
  against: `first page of 1,000 ${milliseconds(base)}`,
  ratio: ms / base,
});

const pageFigure = (name: string, ms: number, base: number): Figure => ({
  name,
  measured: milliseconds(ms),
  against: `first page of 1,000 ${milliseconds(base)}`,
  ratio: ms / base,
  limit: { atMost: AT_MOST },
});

const milliseconds = (ms: number): string => `${ms.toFixed(1)} ms`;
