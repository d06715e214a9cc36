import { beforeAll, describe, expect, test, vi } from 'vitest';
import { CARDS, consumerCard, createCard } from '../../support/cards/cards.ts';
import { fillCards } from '../../support/database/fill-cards.ts';
import { setClock } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();

const PUBLIC_CARDS = `http://emboss.test${CARDS}`;
const idsOf = ({ results }: { results: Array<{ id: string }> }) => results.map(({ id }) => id);

/** A link as an integrator follows it, but to the port where the test listens. */
const follow = (link: string, key: string) =>
  app.call('GET', link.replace('http://emboss.test', ''), { key });

describe('the envelope', () => {
  let key: string;
  /** Newest first. */
  let ids: string[];
  const list = async (query = '') => (await app.call('GET', `${CARDS}${query}`, { key })).body;
  beforeAll(async () => {
    const program = await app.addProgram();
    key = program.key;
    await setClock(app, '2095-01-31T12:00:00Z', key);
    ids = [];
    for (let made = 0; made < 55; made++) ids.unshift((await createCard(app, {}, key)).id);
  });

  test('of an empty list', async () => {
    const { key: empty } = await app.addProgram();
    const { status, body } = await app.call('GET', CARDS, { key: empty });
    expect([status, body]).toEqual([200, { results: [], count: 0, next: null, previous: null }]);
  });

  test('is newest first, 50 per page', async () => {
    const body = await list();
    expect(Object.keys(body).sort()).toEqual(['count', 'next', 'previous', 'results']);
    expect(idsOf(body)).toEqual(ids.slice(0, 50));
    expect(body).toMatchObject({
      count: 55,
      next: expect.stringContaining(`${PUBLIC_CARDS}?`),
      previous: null,
    });
    const rest = (await follow(body.next, key)).body;
    expect(idsOf(rest)).toEqual(ids.slice(50));
    expect(rest).toMatchObject({
      count: 55,
      next: null,
      previous: expect.stringContaining(`${PUBLIC_CARDS}?`),
    });
  });

  test('each item is the card as create returned it', async () => {
    const card = (await app.call('GET', `${CARDS}${ids[0]}/`, { key })).body;
    const [item] = (await list('?page_size=1')).results;
    expect(Object.keys(item)).toHaveLength(10);
    expect(card).toMatchObject(item);
  });

  test.each([
    ['?page=1', 0, 50],
    ['?page=2', 50, 55],
    ['?page_size=1', 0, 1],
    ['?page_size=100', 0, 55],
    ['?page=3&page_size=20', 40, 55],
    ['?page=11&page_size=5', 50, 55],
    ['?page=55&page_size=1', 54, 55],
  ])('%s: records %i to %i', async (query, from, to) => {
    const body = await list(query);
    expect(idsOf(body)).toEqual(ids.slice(from, to));
    expect(body.count).toBe(55);
    expect(body.next === null).toBe(to === 55);
    expect(body.previous === null).toBe(from === 0);
  });

  test.each(['?page=3', '?page=56&page_size=1', '?page=999999999999999', '?page=2&page_size=55'])(
    '%s is past the end: 200, no results, and a link back',
    async (query) => {
      const body = await list(query);
      expect(body).toMatchObject({ results: [], count: 55, next: null });
      const back = (await follow(body.previous, key)).body;
      expect(idsOf(back).at(-1)).toBe(ids.at(-1));
    },
  );

  test('a page requested by number has links to the next and the previous page', async () => {
    const third = await list('?page=3&page_size=10');
    expect(idsOf((await follow(third.next, key)).body)).toEqual(ids.slice(30, 40));
    expect(idsOf((await follow(third.previous, key)).body)).toEqual(ids.slice(10, 20));
  });

  test.each(['page', 'page_size'])('%s must be a whole number in its range', async (name) => {
    const wrong = ['0', '-1', '1.5', '1e1', 'two', '', '%20', '0x1', 'null', 'NaN', '1,2', '%2B1', '٣'];
    if (name === 'page_size') wrong.push('101', '1000');
    for (const value of wrong) {
      const { status, body } = await app.call('GET', `${CARDS}?${name}=${value}`, { key });
      expect([value, status, body.code, body.status]).toEqual([value, 400, 400, 'failed']);
      expect(body.message).toMatch(new RegExp(`^${name}: `));
    }
    expect((await app.call('GET', `${CARDS}?${name}=1&${name}=2`, { key })).status).toBe(400);
  });

  test('an invalid cursor: 400', async () => {
    const queries = ['after=x', 'before=x', 'after=', `after=${ids[3]}&before=${ids[1]}`];
    for (const query of queries)
      expect((await app.call('GET', `${CARDS}?${query}`, { key })).status).toBe(400);
  });
});

describe('dates', () => {
  let key: string;
  /** What was made when, in UTC; the last moment of a day and the first of the next among them. */
  const made = new Map<string, string>();
  const list = async (query: string) => (await app.call('GET', `${CARDS}${query}`, { key })).body;
  const shown = async (query: string) => {
    const body = await list(query);
    expect(body.count).toBe(body.results.length);
    return idsOf(body)
      .reverse()
      .map((id) => [...made].find(([, cardId]) => cardId === id)?.[0]);
  };

  beforeAll(async () => {
    const { program, key: programKey } = await app.addProgram();
    key = programKey;
    const moments = [
      '2024-02-28T23:59:59.999Z',
      '2024-02-29T00:00:00.000Z',
      '2024-02-29T23:59:59.999Z',
      '2024-03-01T00:00:00.000Z',
    ];
    for (const moment of moments) {
      const ms = Date.parse(moment);
      const [id] = await fillCards(app, program, { count: 1, fromMs: ms, toMs: ms + 1 });
      made.set(moment.slice(0, 19), id as string);
    }
    // These follow the program's clock, which only the sandbox can move.
    for (const moment of ['2095-06-30T23:30:00', '2095-07-01T00:00:00', '2095-07-01T12:00:00']) {
      await setClock(app, `${moment}Z`, key);
      made.set(moment, (await createCard(app, {}, key)).id);
    }
  });

  const [A, B, C, D] = [
    '2024-02-28T23:59:59',
    '2024-02-29T00:00:00',
    '2024-02-29T23:59:59',
    '2024-03-01T00:00:00',
  ];
  const [X, Y, Z] = ['2095-06-30T23:30:00', '2095-07-01T00:00:00', '2095-07-01T12:00:00'];
  test.each([
    ['', [A, B, C, D, X, Y, Z]],
    ['?min_created=2024-02-28', [A, B, C, D, X, Y, Z]],
    ['?min_created=2024-02-29', [B, C, D, X, Y, Z]],
    ['?min_created=2024-03-01', [D, X, Y, Z]],
    ['?min_created=2024-03-02', [X, Y, Z]],
    ['?min_created=2095-07-01', [Y, Z]],
    ['?min_created=2095-07-02', []],
    ['?max_created=2024-02-27', []],
    ['?max_created=2024-02-28', [A]],
    ['?max_created=2024-02-29', [A, B, C]],
    ['?max_created=2024-03-01', [A, B, C, D]],
    ['?max_created=2095-06-30', [A, B, C, D, X]],
    ['?max_created=2095-07-01', [A, B, C, D, X, Y, Z]],
    ['?min_created=2024-02-29&max_created=2024-02-29', [B, C]],
    ['?min_created=2024-02-28&max_created=2024-03-01', [A, B, C, D]],
    ['?min_created=2095-06-30&max_created=2095-06-30', [X]],
    ['?min_created=2095-07-01&max_created=2095-07-01', [Y, Z]],
    ['?min_created=2050-01-01&max_created=2050-12-31', []],
    ['?min_created=0001-01-01&max_created=9999-12-31', [A, B, C, D, X, Y, Z]],
  ])('%s', async (query, expected) => {
    expect(await shown(query)).toEqual(expected);
  });

  test('created is program time, to the second', async () => {
    const { results } = await list('');
    for (const { id, created } of results) {
      const moment = [...made].find(([, cardId]) => cardId === id)?.[0] as string;
      const lateMs = Date.parse(created.replace('+0000', 'Z')) - Date.parse(`${moment}Z`);
      expect(lateMs).toBeGreaterThanOrEqual(0);
      expect(lateMs).toBeLessThan(60_000);
    }
  });

  test.each(['min_created', 'max_created'])('%s must be an existing day', async (name) => {
    const wrong = [
      '2025-02-29',
      '2024-02-30',
      '2024-04-31',
      '2024-13-01',
      '2024-00-10',
      '2024-01-00',
      '0000-01-01',
    ];
    wrong.push(
      '2024-1-1',
      '24-01-01',
      '20240101',
      '2024-01-01T00:00:00Z',
      '01.02.2024',
      'today',
      '',
      '%00',
      '+002024-01-01',
    );
    for (const value of wrong) {
      const { status, body } = await app.call('GET', `${CARDS}?${name}=${value}`, { key });
      expect([value, status, body.code, body.status]).toEqual([value, 400, 400, 'failed']);
      expect(body.message).toMatch(new RegExp(`^${name}: `));
    }
  });

  test('min_created after max_created: 400', async () => {
    const { status, body } = await app.call('GET', `${CARDS}?min_created=2024-03-01&max_created=2024-02-29`, {
      key,
    });
    expect([status, body.code, body.status]).toEqual([400, 400, 'failed']);
    expect(body.message).toMatch(/^min_created: /);
  });

  test('links keep the filters, and following them stays within the filters', async () => {
    const query = '?min_created=2024-02-29&max_created=2095-06-30&page_size=1';
    const pages = [await list(query)];
    while (pages.at(-1).next) {
      const link = new URL(pages.at(-1).next);
      expect(link.href.startsWith(`${PUBLIC_CARDS}?`)).toBe(true);
      expect(Object.fromEntries(link.searchParams)).toMatchObject({
        min_created: '2024-02-29',
        max_created: '2095-06-30',
        page_size: '1',
        page: String(pages.length + 1),
      });
      pages.push((await follow(link.href, key)).body);
    }
    expect(pages.map(({ count }) => count)).toEqual([4, 4, 4, 4]);
    expect(pages.flatMap(idsOf)).toEqual([X, D, C, B].map((moment) => made.get(moment as string)));
    const back = [pages.at(-1)];
    while (back[0].previous) back.unshift((await follow(back[0].previous, key)).body);
    expect(back).toEqual(pages);
  });

  test('links use PUBLIC_URL, whatever the Host header is', async () => {
    const { body } = await app.call('GET', `${CARDS}?page_size=1`, {
      key,
      headers: { 'x-forwarded-host': 'evil.test' },
    });
    expect(body.next.startsWith(`${PUBLIC_CARDS}?`)).toBe(true);
  });
});

test('the status in the list is the current status', async () => {
  const { key } = await app.addProgram();
  const ids: string[] = [];
  for (const name of ['active', 'frozen', 'blocked', 'expired'])
    ids.push(
      (
        await createCard(
          app,
          name === 'expired' ? { expiryDate: '2095-06-30' } : { expiryDate: '2099-01-01' },
          key,
        )
      ).id,
    );
  await app.call('PUT', `${CARDS}${ids[1]}/freeze/`, { body: { freeze: true }, key });
  await app.call('PUT', `${CARDS}${ids[2]}/block/`, { body: { reason: 'lost' }, key });
  await setClock(app, '2095-07-01T12:00:00Z', key);
  const { results } = (await app.call('GET', CARDS, { key })).body;
  const statuses = results.map(({ id, status }: { id: string; status: string }) => [ids.indexOf(id), status]);
  expect(statuses).toEqual([
    [3, 'EXPIRED'],
    [2, 'BLOCKED'],
    [1, 'FROZEN'],
    [0, 'ACTIVE'],
  ]);
});

test('a server with a wrong clock dates its cards by the database’s clock', async () => {
  const { key } = await app.addProgram();
  const right = Date.now();
  const wrong = vi.spyOn(Date, 'now').mockImplementation(() => right - 600_000);
  try {
    const answer = await app.call('POST', CARDS, { body: consumerCard(), key });
    expect(Math.abs(Date.parse(answer.body.created.replace('+0000', 'Z')) - right)).toBeLessThan(60_000);
  } finally {
    wrong.mockRestore();
  }
});
