import { beforeAll, describe, expect, test } from 'vitest';
import { lowestIdAt } from '../../../src/kernel/ids.ts';
import { insertMilestones } from '../../../src/lists/queries.ts';
import { businessCard, CARDS, createCard } from '../../support/cards/cards.ts';
import { fillTransactions, follow, swipe } from '../../support/cards/swipe.ts';
import { setClock } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
beforeAll(async () => {
  await setClock(app, '2095-01-31T12:00:00Z');
});

const ALL = '/api/v1/merchant/transactions/';
const ofCard = (cardId: string) => `${CARDS}${cardId}/transactions/`;
const ORIGIN = 'http://emboss.test';

interface Page {
  results: Array<Record<string, unknown> & { id: string }>;
  count: number;
  next: string | null;
  previous: string | null;
}
const idsOf = (...pages: Page[]): string[] => pages.flatMap(({ results }) => results.map(({ id }) => id));
/** A path, or a link as an integrator follows it, but to the port where the test listens. */
const get = async (link: string, key: string = app.key): Promise<Page> => {
  const { status, body } = await app.call('GET', link.replace(ORIGIN, ''), { key });
  expect([link, status]).toEqual([link, 200]);
  return body;
};
async function walk(link: string, key: string, onward: (page: Page) => string | null): Promise<Page[]> {
  const pages: Page[] = [];
  for (let at: string | null = link; at !== null; at = onward(pages.at(-1) as Page))
    pages.push(await get(at, key));
  return pages;
}

describe('a transaction', () => {
  const shown = async (cardId: string, key: string = app.key) => {
    const { results, count } = await get(ofCard(cardId), key);
    expect(results).toHaveLength(count);
    return results;
  };

  test('has the ten fields of the specification with their types', async () => {
    const { id: card_id } = await createCard(app);
    const answer = await swipe(app, card_id, '12.50', { external_transaction_id: 'net-whole-1' });
    const transaction = {
      id: answer.transaction_id,
      external_transaction_id: 'net-whole-1',
      card_id,
      bill_amount: 12.5,
      bill_currency: 'EUR',
      cardholder_name: 'Ada Lovelace',
      amount: '12.50',
      currency: 'EUR',
      status: 'PENDING',
      created: expect.stringMatching(/^2095-01-31T12:\d\d:\d\d\+0000$/),
    };
    expect(await shown(card_id)).toEqual([transaction]);
    expect((await get(`${ALL}?page_size=1`)).results).toEqual([transaction]);
  });

  test('of a business shows the name of the business', async () => {
    const { body } = await app.call('POST', CARDS, { body: businessCard() });
    await swipe(app, body.id, '1.00');
    expect(await shown(body.id)).toMatchObject([{ cardholder_name: 'Analytical Engines Ltd' }]);
  });

  test('abroad shows both currencies, each with its own decimals', async () => {
    const { id } = await createCard(app);
    await swipe(app, id, '1500', { currency: 'JPY', bill_amount: '9.30' });
    await swipe(app, id, '3.125', { currency: 'KWD', bill_amount: '9.00' });
    expect(await shown(id)).toMatchObject([
      { amount: '3.125', currency: 'KWD', bill_amount: 9, bill_currency: 'EUR' },
      { amount: '1500', currency: 'JPY', bill_amount: 9.3, bill_currency: 'EUR' },
    ]);
  });

  test('changes with later messages, under the same id and time', async () => {
    const { id } = await createCard(app);
    const { transaction_id } = await swipe(app, id, '50.00');
    const [first] = await shown(id);
    const become = async (changes: object) => expect(await shown(id)).toEqual([{ ...first, ...changes }]);
    await become({ status: 'PENDING', bill_amount: 50, amount: '50.00' });
    await follow(app, 'reversals', { transaction_id, bill_amount: '10.00' });
    await become({ status: 'PENDING', bill_amount: 40, amount: '40.00' });
    await follow(app, 'increments', { transaction_id, amount: '5.00' });
    await become({ status: 'PENDING', bill_amount: 45, amount: '45.00' });
    await follow(app, 'clearings', { transaction_id, amount: '15.00', final: false });
    await become({ status: 'PENDING', bill_amount: 45, amount: '45.00' });
    await follow(app, 'clearings', { transaction_id, amount: '12.34' });
    await become({ status: 'CLEARED', bill_amount: 27.34, amount: '27.34' });
  });

  test('that is a refund is a separate transaction: negative, with the refund’s id', async () => {
    const { id } = await createCard(app);
    const { transaction_id } = await swipe(app, id, '1500', { currency: 'JPY', bill_amount: '9.30' });
    await follow(app, 'clearings', { transaction_id });
    const part = { amount: '500', currency: 'JPY', bill_amount: '3.10' };
    const refund = await follow(app, 'refunds', { transaction_id, refund_id: 'ref-part-1', ...part });
    expect(refund.parent_transaction_id).toBe(transaction_id);
    const list = await shown(id);
    expect(list).toMatchObject([
      {
        id: refund.transaction_id,
        external_transaction_id: 'ref-part-1',
        card_id: id,
        bill_amount: -3.1,
        amount: '-500',
        currency: 'JPY',
        status: 'CLEARED',
      },
      { id: transaction_id, bill_amount: 9.3, amount: '1500', status: 'CLEARED' },
    ]);
    for (const transaction of list) expect(Object.keys(transaction)).toHaveLength(10);
  });
});

describe('pages', () => {
  let key: string;
  let cards: [string, string];
  /** Newest first; of the first card two, of the second one, and so on. */
  let made: Array<{ id: string; cardId: string }>;
  beforeAll(async () => {
    ({ key } = await app.addProgram());
    await setClock(app, '2095-01-31T12:00:00Z', key);
    const card = () => createCard(app, { spendLimit: 1000 }, key);
    cards = [(await card()).id, (await card()).id];
    made = [];
    for (let index = 0; index < 57; index++) {
      const cardId = cards[index % 3 === 2 ? 1 : 0] as string;
      made.unshift({ id: (await swipe(app, cardId, '1.00', {}, key)).transaction_id, cardId });
    }
  });

  /** Every list has the same rules: the program's, and each card's. */
  const lists: Array<[string, () => { path: string; ids: string[] }]> = [
    ['of the program', () => ({ path: ALL, ids: made.map(({ id }) => id) })],
    ...[0, 1].map((which): [string, () => { path: string; ids: string[] }] => [
      `of card ${which}`,
      () => ({
        path: ofCard(cards[which] as string),
        ids: made.filter(({ cardId }) => cardId === cards[which]).map(({ id }) => id),
      }),
    ]),
  ];

  describe.each(lists)('%s', (_name, listed) => {
    test('are newest first, 50 per page, with absolute links', async () => {
      const { path, ids } = listed();
      const page = await get(path, key);
      expect(Object.keys(page).sort()).toEqual(['count', 'next', 'previous', 'results']);
      expect(idsOf(page)).toEqual(ids.slice(0, 50));
      expect(page).toMatchObject({ count: ids.length, previous: null });
      expect(page.next?.startsWith(`${ORIGIN}${path}?`) ?? null).toBe(ids.length > 50 ? true : null);
      expect(await get(path.slice(0, -1), key)).toEqual(page);
    });

    test.each([
      ['page=0', /^page: /],
      ['page=x', /^page: /],
      ['page_size=0', /^page_size: /],
      ['page_size=101', /^page_size: /],
      ['min_created=2095-02-29', /^min_created: /],
      ['max_created=today', /^max_created: /],
      ['min_created=2095-02-02&max_created=2095-02-01', /^min_created: /],
      ['after=x', /^after: /],
      ['before=', /^before: /],
    ])('?%s: 400 with the field’s name', async (query, message) => {
      const answer = await app.call('GET', `${listed().path}?${query}`, { key });
      expect(answer).toMatchObject({ status: 400, body: { code: 400, status: 'failed' } });
      expect(answer.body.message).toMatch(message);
    });
  });

  test('are empty for a card or a program without transactions', async () => {
    const { key: other } = await app.addProgram();
    const { id } = await createCard(app, {}, other);
    for (const path of [ALL, ofCard(id)])
      expect(await get(path, other)).toEqual({ results: [], count: 0, next: null, previous: null });
  });
});

describe('dates', () => {
  let key: string;
  let cardId: string;
  const names = new Map<string, string>();
  beforeAll(async () => {
    const owner = await app.addProgram();
    key = owner.key;
    cardId = (await createCard(app, {}, key)).id;
    const other = (await createCard(app, {}, key)).id;
    const moments = {
      A: '2024-02-28T23:59:59.999Z',
      B: '2024-02-29T00:00:00.000Z',
      C: '2024-02-29T23:59:59.999Z',
      D: '2024-03-01T00:00:00.000Z',
    };
    for (const [name, moment] of Object.entries(moments)) {
      const fromMs = Date.parse(moment);
      const range = { count: 1, fromMs, toMs: fromMs + 1 };
      const [made] = await fillTransactions(app, owner.program, [cardId], range);
      names.set(made?.id as string, name);
      await fillTransactions(app, owner.program, [other], range);
    }
    // These follow the program's clock, which only the sandbox can move.
    const later = { X: '2095-06-30T23:30:00Z', Y: '2095-07-01T00:00:00Z', Z: '2095-07-02T12:00:00Z' };
    for (const [name, moment] of Object.entries(later)) {
      await setClock(app, moment, key);
      names.set((await swipe(app, cardId, '1.00', {}, key)).transaction_id, name);
      await swipe(app, other, '1.00', {}, key);
    }
  });

  test('links keep the filters, and following them stays within the filters', async () => {
    const query = 'min_created=2024-02-29&max_created=2095-07-01&page_size=2';
    const pages = await walk(`${ofCard(cardId)}?${query}`, key, ({ next }) => next);
    expect(pages.map(({ count }) => count)).toEqual([5, 5, 5]);
    expect(idsOf(...pages).map((id) => names.get(id))).toEqual(['Y', 'X', 'D', 'C', 'B']);
    for (const [index, { next }] of pages.slice(0, -1).entries())
      expect(Object.fromEntries(new URL(next as string).searchParams)).toMatchObject({
        min_created: '2024-02-29',
        max_created: '2095-07-01',
        page_size: '2',
        page: String(index + 2),
      });
  });

  test('created is program time', async () => {
    const { results } = await get(`${ofCard(cardId)}?min_created=2095-07-02`, key);
    expect(results[0]?.['created']).toMatch(/^2095-07-02T12:\d\d:\d\d\+0000$/);
  });
});

describe('following the links while purchases are created, cleared and refunded', () => {
  test.each([
    ['of the program', 3, ''],
    ['of the program', 7, '&min_created=2020-01-01&max_created=2199-12-31'],
    ['of one card', 4, ''],
    ['of one card', 5, '&min_created=2020-01-01'],
  ])('%s, in steps of %i%s: each existing record once, in both directions', async (whose, size, filter) => {
    const { program, key } = await app.addProgram();
    const card = () => createCard(app, { spendLimit: 10_000 }, key);
    const cards = [(await card()).id, (await card()).id];
    const dayAgoMs = Date.now() - 86_400_000;
    const old = await fillTransactions(app, program, cards, {
      count: 14,
      fromMs: dayAgoMs,
      toMs: dayAgoMs + 900,
    });
    const pay = async (index: number) => {
      const cardId = cards[index % 2] as string;
      return { id: (await swipe(app, cardId, '1.00', {}, key)).transaction_id as string, cardId };
    };
    const fresh = await Promise.all(Array.from({ length: 14 }, (_, index) => pay(index)));
    const mine = ({ cardId }: { cardId: string }) => whose === 'of the program' || cardId === cards[0];
    const start = new Set([...old, ...fresh].filter(mine).map(({ id }) => id));

    let walking = true;
    let made = 0;
    const shoppers = [0, 1].map(async (which) => {
      do {
        const { id: transaction_id } = await pay(which);
        await follow(app, 'clearings', { transaction_id }, key);
        await follow(app, 'refunds', { transaction_id }, key);
        // A record that changes keeps its index.
        await follow(app, 'clearings', { transaction_id: fresh[made % 14]?.id, amount: '0.50' }, key);
        if (whose === 'of the program' || which === 0) made += 2;
      } while (walking);
    });
    const path = whose === 'of the program' ? ALL : ofCard(cards[0] as string);
    const forth = await walk(`${path}?page_size=${size}${filter}`, key, ({ next }) => next);
    const last = forth.at(-1) as Page;
    const returned = await walk(last.previous as string, key, ({ previous }) => previous);
    walking = false;
    await Promise.all(shoppers);

    expect(made).toBeGreaterThan(0);
    for (const met of [idsOf(...forth), idsOf(...returned.reverse(), last)]) {
      expect(met.filter((id) => start.has(id)).sort()).toEqual([...start].sort());
      expect(new Set(met).size).toBe(met.length);
      expect(met).toEqual(met.toSorted().reverse());
    }
    expect((await get(path, key)).count).toBe(start.size + made);
  });
});

describe('a long list', () => {
  test('page N is the Nth part and days count exactly, with and without milestones, for all cards and for one', async () => {
    const { program, key } = await app.addProgram();
    const cards = [(await createCard(app, {}, key)).id, (await createCard(app, {}, key)).id];
    const toMs = Date.now() - 3_600_000;
    // The second card has a third of them.
    const turns = [cards[0], cards[0], cards[1]] as string[];
    const range = { count: 3_700, fromMs: toMs - 4 * 86_400_000, toMs };
    const made = (await fillTransactions(app, program, turns, range)).reverse();
    const lists = [undefined, ...cards].map((cardId) => ({
      path: cardId ? ofCard(cardId) : ALL,
      list: { table: 'transactions' as const, ...(cardId && { cardId }) },
      ids: made.filter((record) => !cardId || record.cardId === cardId).map(({ id }) => id),
    }));
    const day = new Date(toMs - 2 * 86_400_000).toISOString().slice(0, 10);
    const [from, to] = [Date.parse(`${day}T00:00:00Z`), Date.parse(`${day}T00:00:00Z`) + 86_400_000].map(
      lowestIdAt,
    );
    const check = async () => {
      for (const { path, ids } of lists) {
        for (const page of [1, 2, 6, 13, 19, 37, 38]) {
          const body = await get(`${path}?page=${page}&page_size=100`, key);
          expect([path, page, body.count]).toEqual([path, page, ids.length]);
          expect(idsOf(body)).toEqual(ids.slice((page - 1) * 100, page * 100));
        }
        const within = ids.filter((id) => id >= (from as string) && id < (to as string));
        const ofDay = await get(`${path}?min_created=${day}&max_created=${day}&page=4&page_size=50`, key);
        expect([path, ofDay.count, idsOf(ofDay)]).toEqual([path, within.length, within.slice(150, 200)]);
      }
    };
    await check();
    for (const { list } of lists)
      await insertMilestones(app.db, list, program.id, lowestIdAt(Date.now() - 60_000), 10_000);
    const laid = await app.db.query<{ list: string; count: number }>(
      {
        text: 'select list, count(*)::int from list_milestones where program_id = $1 group by list order by list',
      },
      [program.id],
    );
    const all = lists.map(({ list, ids }) => ({
      list: list.cardId ? `transactions/${list.cardId}` : 'transactions',
      count: Math.floor(ids.length / 500),
    }));
    expect(laid).toEqual(all.toSorted((a, b) => (a.list < b.list ? -1 : 1)));
    await check();
  });
});
