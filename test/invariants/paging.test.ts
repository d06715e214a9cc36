import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CARDS, createCard } from '../support/cards/cards.ts';
import { fillCards } from '../support/database/fill-cards.ts';
import { startTestApp, type TestApp } from '../support/server/test-app.ts';

/**
 * Following `next` from page 1 meets every card that existed at the start exactly once, even while new ones
 * arrive; walking `previous` back does so again; and page N is the Nth slice of the list.
 */
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Page {
  results: Array<{ id: string }>;
  count: number;
  next: string | null;
  previous: string | null;
}

const get = async (link: string, key: string): Promise<Page> =>
  (await app.call('GET', link.replace('http://emboss.test', ''), { key })).body;

async function walk(link: string, key: string, onward: (page: Page) => string | null): Promise<Page[]> {
  const pages: Page[] = [];
  for (let at: string | null = link; at !== null; at = onward(pages.at(-1) as Page))
    pages.push(await get(at, key));
  return pages;
}

const idsOf = (pages: Page[]): string[] => pages.flatMap(({ results }) => results.map(({ id }) => id));
const only = (known: Set<string>, ids: string[]): string[] => ids.filter((id) => known.has(id));

describe('while cards are created', () => {
  test.each([
    [1, 10, ''],
    [3, 20, ''],
    [7, 30, '&min_created=2020-01-01'],
    [20, 30, '&min_created=2020-01-01&max_created=2199-12-31'],
    [100, 30, ''],
  ])('pages of %i, %i cards%s: each once, in both directions', async (pageSize, size, filter) => {
    const { program, key } = await app.addProgram();
    // Some of yesterday, some just made: the walk crosses from fresh ids to settled ones.
    const dayAgoMs = Date.now() - 86_400_000;
    const old = await fillCards(app, program, { count: size / 2, fromMs: dayAgoMs, toMs: dayAgoMs + 1_000 });
    const fresh = await Promise.all(Array.from({ length: size / 2 }, () => createCard(app, {}, key)));
    const start = new Set([...old, ...fresh.map(({ id }) => id)]);

    let walking = true;
    const made: string[] = [];
    const creator = async () => {
      do made.push((await createCard(app, {}, key)).id);
      while (walking);
    };
    const creators = Array.from({ length: 2 }, creator);
    const forth = await walk(`${CARDS}?page_size=${pageSize}${filter}`, key, ({ next }) => next);
    const last = forth.at(-1) as Page;
    const returned = last.previous ? await walk(last.previous, key, ({ previous }) => previous) : [];
    walking = false;
    await Promise.all(creators);

    expect(made.length).toBeGreaterThan(0);
    for (const met of [idsOf(forth), idsOf([...returned.reverse(), last])]) {
      expect(only(start, met).sort()).toEqual([...start].sort());
      expect(new Set(met).size).toBe(met.length);
      expect(met).toEqual(met.toSorted().reverse());
    }
    expect((await get(CARDS, key)).count).toBe(start.size + made.length);
  });
});

describe('without changes', () => {
  let key: string;
  /** Newest first. */
  let ids: string[];
  beforeAll(async () => {
    const created = await app.addProgram();
    key = created.key;
    const nowMs = Date.now();
    const range = { count: 1_730, fromMs: nowMs - 5 * 86_400_000, toMs: nowMs - 3_600_000 };
    ids = (await fillCards(app, created.program, range)).reverse();
  });

  const pageSizes = fc.integer({ min: 1, max: 100 });
  const pageOf = (page: number, size: number) => get(`${CARDS}?page=${page}&page_size=${size}`, key);

  test('page N is the Nth part of the list, with links to its neighbours', async () => {
    await fc.assert(
      fc.asyncProperty(pageSizes, fc.double({ min: 0, max: 1.1, noNaN: true }), async (size, where) => {
        const page = 1 + Math.floor((where * ids.length) / size);
        const slice = (number: number) => ids.slice((number - 1) * size, number * size);
        const body = await pageOf(page, size);
        expect(idsOf([body])).toEqual(slice(page));
        expect(body.count).toBe(ids.length);
        expect(body.next !== null).toBe(page * size < ids.length);
        expect(body.previous !== null).toBe(page > 1);
        if (body.next) expect(idsOf([await get(body.next, key)])).toEqual(slice(page + 1));
        if (body.previous && body.results.length > 0)
          expect(idsOf([await get(body.previous, key)])).toEqual(slice(page - 1));
      }),
      { numRuns: 40 },
    );
  });

  test('following next returns the whole list, for any page size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 40, max: 100 }), async (size) => {
        expect(idsOf(await walk(`${CARDS}?page_size=${size}`, key, ({ next }) => next))).toEqual(ids);
      }),
      { numRuns: 3 },
    );
  });
});
