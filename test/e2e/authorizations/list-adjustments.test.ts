import { describe, expect, test } from 'vitest';
import { lowestIdAt } from '../../../src/kernel/ids.ts';
import { insertMilestones } from '../../../src/lists/queries.ts';
import { CARDS, createCard } from '../../support/cards/cards.ts';
import { fillAdjustments } from '../../support/cards/fill-adjustments.ts';
import { setClock } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();

const ORIGIN = 'http://emboss.test';
const pathOf = (cardId: string) => `${CARDS}${cardId}/balance-adjustments/`;
interface Page {
  results: Array<{ id: string; amount: number; reference: string }>;
  count: number;
  next: string | null;
  previous: string | null;
}
const get = async (link: string, key: string): Promise<Page> => {
  const { status, body } = await app.call('GET', link.replace(ORIGIN, ''), { key });
  expect([link, status]).toEqual([link, 200]);
  return body;
};
const adjust = (cardId: string, amount: number, reference: string, key: string) =>
  app.call('POST', pathOf(cardId), { body: { amount, reference }, key });

/** A program at noon of 31 January 2095, with one card. */
async function newCard(currency = 'EUR') {
  const { program, key } = await app.addProgram({ currency });
  await setClock(app, '2095-01-31T12:00:00Z', key);
  const { id } = await createCard(app, { spendLimit: 1000 }, key);
  return { program, key, id };
}

describe('an adjustment in the list', () => {
  test('has its id, signed amount, currency, reference and time; the newest is first', async () => {
    const { key, id } = await newCard();
    const up = (await adjust(id, 50.5, 'top-up 7', key)).body;
    const down = (await adjust(id, -0.05, 'correction', key)).body;
    const created = expect.stringMatching(/^2095-01-31T12:\d\d:\d\d\+0000$/);
    expect(await get(pathOf(id), key)).toEqual({
      results: [
        { id: down.id, amount: -0.05, currency: 'EUR', reference: 'correction', created },
        { id: up.id, amount: 50.5, currency: 'EUR', reference: 'top-up 7', created },
      ],
      count: 2,
      next: null,
      previous: null,
    });
  });

  test.each([
    ['JPY', 7],
    ['KWD', 0.005],
  ])('in %s has the currency’s decimals', async (currency, amount) => {
    const { key, id } = await newCard(currency);
    await adjust(id, amount, 'r', key);
    expect((await get(pathOf(id), key)).results).toMatchObject([{ amount, currency }]);
  });

  test('belongs to its card alone; a refused one is not listed', async () => {
    const { key, id } = await newCard();
    const { id: other } = await createCard(app, {}, key);
    await adjust(other, 1, 'of the other', key);
    expect((await adjust(id, -1000.01, 'too much', key)).status).toBe(400);
    expect(await get(pathOf(id), key)).toEqual({ results: [], count: 0, next: null, previous: null });
  });
});

describe('the list', () => {
  test('takes page, page_size, min_created and max_created', async () => {
    const { key, id } = await newCard();
    for (const [day, references] of [
      ['2095-01-31', ['a', 'b']],
      ['2095-02-02', ['c']],
      ['2095-02-05', ['d', 'e']],
    ] as const) {
      await setClock(app, `${day}T23:59:00Z`, key);
      for (const reference of references) await adjust(id, 1, reference, key);
    }
    const shown = async (query: string) => {
      const { results, count } = await get(`${pathOf(id)}?${query}`, key);
      return [results.map(({ reference }) => reference).join(''), count];
    };
    expect(await shown('')).toEqual(['edcba', 5]);
    expect(await shown('page_size=2')).toEqual(['ed', 5]);
    expect(await shown('page_size=2&page=3')).toEqual(['a', 5]);
    expect(await shown('page=2')).toEqual(['', 5]);
    expect(await shown('min_created=2095-02-02')).toEqual(['edc', 3]);
    expect(await shown('max_created=2095-02-02')).toEqual(['cba', 3]);
    expect(await shown('min_created=2095-02-01&max_created=2095-02-04')).toEqual(['c', 1]);
    for (const bad of ['page=0', 'page_size=101', 'min_created=2095-02-30'])
      expect((await app.call('GET', `${pathOf(id)}?${bad}`, { key })).status).toBe(400);
    const backwards = `${pathOf(id)}?min_created=2095-02-02&max_created=2095-02-01`;
    expect((await app.call('GET', backwards, { key })).status).toBe(400);
  });

  test('following next returns each adjustment once while new ones arrive, across milestones', async () => {
    const { program, key, id } = await newCard();
    const { id: other } = await createCard(app, {}, key);
    const nowMs = Date.parse('2095-01-31T12:00:00Z');
    const day = { count: 2_400, fromMs: nowMs - 86_400_000, toMs: nowMs - 3_600_000 };
    const made = await fillAdjustments(app, program, [id, other], day);
    const list = { table: 'balance_adjustments', cardId: id };
    await insertMilestones(app.db, list, program.id, lowestIdAt(nowMs), 10_000);
    const own = made.filter(({ cardId }) => cardId === id).map((each) => each.id);
    const seen: string[] = [];
    for (let link: string | null = `${pathOf(id)}?page_size=100`; link !== null; ) {
      const page: Page = await get(link, key);
      seen.push(...page.results.map((each) => each.id));
      expect(page.count).toBe(1_200 + seen.length / 100 - 1);
      await adjust(id, 1, 'new', key);
      link = page.next;
    }
    expect(seen).toEqual(own.toReversed());
    const last = await get(`${pathOf(id)}?page_size=100&page=13`, key);
    expect(last.results.map((each) => each.id)).toEqual(own.slice(0, 12).toReversed());
    expect(last.next).toBeNull();
    expect(last.previous).toContain('page=12');
  });
});
