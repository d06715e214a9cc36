import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { INSTALLATION_ID } from '../../src/audit/entry.ts';
import { bringBack, listMonths, moveOut } from '../../src/authorizations/move-out.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { prepareMonths } from '../../src/db/months.ts';
import { lowestIdAt } from '../../src/kernel/ids.ts';
import { insertMilestones } from '../../src/lists/queries.ts';
import { openReport } from '../../src/reports/open-report.ts';
import { subjectOf } from '../../src/reports/report.ts';
import { createCard } from '../support/cards.ts';
import { setClock } from '../support/clock.ts';
import { readCsv } from '../support/csv.ts';
import { sql } from '../support/database.ts';
import {
  authorizationOf,
  clearingOf,
  expectSoundBooks,
  hold,
  ownProgram,
  payingCard,
  refundOf,
  reversalOf,
  send,
  transactionsOf,
} from '../support/network.ts';
import { fillTransactions } from '../support/swipe.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const ALL = '/api/v1/merchant/transactions/';
const NOW_MS = Date.parse('2029-06-15T12:00:00Z');
const ACTOR = 'cli:test';

let app: TestApp;
let owner: Database;
beforeAll(async () => {
  app = await startTestApp();
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  await prepareMonths(client, NOW_MS);
  await client.end();
  owner = openDatabase({
    url: app.databaseUrl,
    poolSize: 1,
    namedStatements: false,
    onIdleError: () => {},
  });
});
afterEach(() => bringBack(owner, '2026-01-01', ACTOR, NOW_MS));
afterAll(async () => {
  await expectSoundBooks(app);
  await owner.close();
  await app.close();
});

const move = (before: string) => moveOut(owner, `${before}-01`, ACTOR, NOW_MS);
const back = (from: string) => bringBack(owner, `${from}-01`, ACTOR, NOW_MS);
const monthsHere = async () =>
  (await listMonths(app.db)).filter(({ here }) => here).map(({ name }) => name.slice(13));

describe('months', () => {
  test('follow one another without a gap, half a year ahead', async () => {
    expect(await monthsHere()).toEqual([
      '2026',
      ...[2027, 2028].flatMap((year) =>
        Array.from({ length: 12 }, (_, month) => `${year}_${String(month + 1).padStart(2, '0')}`),
      ),
      ...Array.from({ length: 12 }, (_, month) => `2029_${String(month + 1).padStart(2, '0')}`),
    ]);
  });

  test('take what was written before they were made, and what comes after them has a place', async () => {
    const later = await startTestApp();
    try {
      const { id } = await createCard(later);
      const moments = ['2026-12-31T23:59:59.999Z', '2028-02-01T00:00:00.000Z', '2031-07-04T12:00:00.000Z'];
      for (const moment of moments)
        await fillTransactions(later, later.program, [id], {
          count: 1,
          fromMs: Date.parse(moment),
          toMs: Date.parse(moment),
        });
      const places = () =>
        sql<{ place: string }>(
          later.databaseUrl,
          'select tableoid::regclass::text as place from transactions order by id',
        );
      const named = (...names: string[]) => names.map((name) => ({ place: `transactions_${name}` }));
      expect(await places()).toEqual(named('2026', 'later', 'later'));
      const client = new pg.Client({ connectionString: later.databaseUrl });
      await client.connect();
      await prepareMonths(client, NOW_MS);
      await prepareMonths(client, NOW_MS);
      await client.end();
      expect(await places()).toEqual(named('2026', '2028_02', 'later'));
    } finally {
      await later.close();
    }
  });
});

describe('months that have moved out', () => {
  test.each([
    ['with milestones', true],
    ['without', false],
  ])('leave the lists, and what stays keeps its place, %s', async (_name, milestones) => {
    const { program, key } = await app.addProgram();
    const cards = [(await createCard(app, {}, key)).id, (await createCard(app, {}, key)).id];
    const range = { fromMs: Date.UTC(2027, 10, 3), toMs: Date.UTC(2028, 2, 20) };
    const turns = [cards[0], cards[0], cards[1]] as string[];
    const made = (await fillTransactions(app, program, turns, { count: 3_700, ...range })).reverse();
    const lists = [undefined, ...cards].map((cardId) => ({
      path: cardId ? `/api/v1/merchant/cards/${cardId}/transactions/` : ALL,
      list: { table: 'transactions' as const, ...(cardId && { cardId }) },
      ids: made.filter((record) => !cardId || record.cardId === cardId).map(({ id }) => id),
    }));
    if (milestones)
      for (const { list } of lists)
        await insertMilestones(app.db, list, program.id, lowestIdAt(range.toMs), 10_000);
    const get = async (path: string) => (await app.call('GET', path, { key })).body;
    const shown = (body: { results: Array<{ id: string }> }) => body.results.map(({ id }) => id);

    /** Everything from a day on is listed, and nothing else is. */
    const check = async (first: string) => {
      const firstId = lowestIdAt(Date.parse(first));
      for (const { path, ids } of lists) {
        const here = ids.filter((id) => id >= firstId);
        const last = Math.ceil(here.length / 100);
        for (const page of [1, 2, Math.ceil(last / 2), last, last + 1]) {
          const body = await get(`${path}?page=${page}&page_size=100`);
          expect([path, page, body.count]).toEqual([path, page, here.length]);
          expect(shown(body)).toEqual(here.slice((page - 1) * 100, page * 100));
        }
        for (const [from, to] of [
          ['2027-11-20', '2028-02-10'],
          ['2028-02-01', '2028-02-28'],
          ['2027-11-01', '2027-12-31'],
        ] as const) {
          const [low, high] = [Date.parse(from), Date.parse(to) + 86_400_000].map(lowestIdAt) as [
            string,
            string,
          ];
          const within = here.filter((id) => id >= low && id < high);
          const body = await get(`${path}?min_created=${from}&max_created=${to}&page=2&page_size=50`);
          expect([path, from, body.count]).toEqual([path, from, within.length]);
          expect(shown(body)).toEqual(within.slice(50, 100));
        }
      }
    };
    await check('2027-01-01');
    await move('2028-01');
    await check('2028-01-01');
    await move('2028-03');
    expect((await monthsHere())[0]).toBe('2028_03');
    await check('2028-03-01');
    await back('2028-02');
    expect((await monthsHere())[0]).toBe('2028_02');
    await check('2028-02-01');
    await back('2026-01');
    await check('2027-01-01');
  });

  test('late messages about a purchase of then change nothing, and its answers are still known', async () => {
    const program = await ownProgram(app);
    await setClock(app, '2027-05-10T12:00:00Z', program.key);
    const card = await payingCard(app, {}, program);
    const request = authorizationOf(card, '12.00');
    const first = await send(app, 'authorizations', request, program);
    const purchase = request.external_transaction_id;
    await send(app, 'clearings', clearingOf(card, purchase, '12.00'), program);
    await setClock(app, '2029-06-14T12:00:00Z', program.key);
    await move('2027-06');
    expect(await transactionsOf(app, card)).toEqual([]);

    const again = await send(app, 'authorizations', request, program);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const tooOld = [400, 'external_transaction_id: the purchase is too old, it has moved out'];
    const late = async (
      ...message: Parameters<typeof send> extends [unknown, ...infer Rest] ? Rest : never
    ) => {
      const { status, body } = await send(app, ...message);
      return [status, body.message];
    };
    expect(await late('reversals', reversalOf(purchase), program)).toEqual(tooOld);
    expect(await late('clearings', clearingOf(card, purchase, '1.00'), program)).toEqual(tooOld);
    const refund = refundOf(card, '5.00', { external_transaction_id: purchase });
    expect(await late('refunds', refund, program)).toEqual([
      400,
      'card_number: is needed for a refund without a known purchase',
    ]);
    expect(await transactionsOf(app, card)).toEqual([]);
    expect(await late('refunds', { ...refund, card_number: card.number }, program)).toEqual([200, undefined]);
    expect(await transactionsOf(app, card)).toHaveLength(1);
  });

  test('reports of then are what they were', async () => {
    const program = await ownProgram(app);
    await setClock(app, '2027-08-02T12:00:00Z', program.key);
    const card = await payingCard(app, {}, program);
    const purchase = await hold(app, card, '8.00');
    await send(app, 'clearings', clearingOf(card, purchase, '8.00'), program);
    await app.call('POST', `/api/v1/merchant/cards/${card.id}/reissue/`, { key: program.key, body: {} });
    await setClock(app, '2029-06-14T12:00:00Z', program.key);
    const read = async () => {
      const subject = subjectOf('monthly', '2027-08-15', '2029-06-14');
      const { content } = await openReport({ db: app.db, ...app.reports }, program.program, subject);
      return text(content);
    };
    const before = await read();
    const { rows } = readCsv(before);
    expect(rows.map((row) => row['last_four'])).toContain(card.number.slice(-4));
    await move('2028-01');
    expect(await read()).toBe(before);
  });

  test('nobody who pays meanwhile notices', async () => {
    const program = await ownProgram(app);
    await setClock(app, '2029-06-14T12:00:00Z', program.key);
    const card = await payingCard(app, { spendLimit: 100_000 }, program);
    let going = true;
    let approved = 0;
    const pay = async () => {
      while (going) {
        await hold(app, card, '0.01');
        approved++;
      }
    };
    const paying = [pay(), pay(), pay(), pay()];
    await move('2028-05');
    await back('2026-01');
    going = false;
    await Promise.all(paying);
    expect(approved).toBeGreaterThan(0);
    const { body } = await app.call('GET', ALL, { key: program.key });
    expect(body.count).toBe(approved);
  });

  test('are in the audit', async () => {
    await move('2027-02');
    const rows = await sql<{ actor: string; action: string; part: string }>(
      app.databaseUrl,
      `select actor, action, after ->> 'part' as part from audit_entries where program_id = $1 order by id desc limit 2`,
      [INSTALLATION_ID],
    );
    const entry = { actor: ACTOR, action: 'transactions.moved_out' };
    expect(rows).toEqual([
      { ...entry, part: 'transactions_2027_01' },
      { ...entry, part: 'transactions_2026' },
    ]);
  });
});

describe('what stays', () => {
  test('the last thirteen months', async () => {
    await expect(move('2028-06')).rejects.toThrow(
      '--before: must be 2028-05 or earlier: 13 months stay here',
    );
    expect((await monthsHere())[0]).toBe('2026');
  });

  test('a month in which something is still on hold, and those after it', async () => {
    const { program, key } = await app.addProgram();
    const { id } = await createCard(app, {}, key);
    const [held] = await fillTransactions(app, program, [id], {
      count: 1,
      fromMs: Date.UTC(2027, 2, 3),
      toMs: Date.UTC(2027, 2, 4),
    });
    const setHeld = (minor: number) =>
      sql(app.databaseUrl, 'update transactions set held_minor = $2 where id = $1', [held?.id, minor]);
    await setHeld(1);
    await expect(move('2027-06')).rejects.toThrow('transactions_2027_03 has amounts on hold');
    expect((await monthsHere())[0]).toBe('2027_03');
    await setHeld(0);
  });
});
