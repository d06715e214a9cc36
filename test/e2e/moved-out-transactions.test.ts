import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { INSTALLATION_ID } from '../../src/audit/entry.ts';
import { bringBack, listMonths, type Move, moveOut } from '../../src/authorizations/move-out.ts';
import { openDatabase } from '../../src/db/database.ts';
import { prepareMonths } from '../../src/db/months.ts';
import { addMonths } from '../../src/kernel/calendar.ts';
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
  availableOf,
  clearingOf,
  expectSoundBooks,
  hold,
  type NetworkPath,
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
const ACTOR = 'cli:test';

/** So many months from now, since clocks of programs go forward only: `2027-03`. */
const THIS_MONTH = new Date().toISOString().slice(0, 7);
const month = (ahead: number): string => addMonths(`${THIS_MONTH}-01`, ahead).slice(0, 7);
const at = (ahead: number, day: string): string => `${month(ahead)}-${day}T12:00:00Z`;
const NOW = 30;
const nowMs = Date.parse(at(NOW, '15'));

let app: TestApp;
let move: Move;
beforeAll(async () => {
  app = await startTestApp();
  await prepare(app);
  const url = app.databaseUrl;
  const owner = openDatabase({ url, poolSize: 2, namedStatements: false, onIdleError: () => {} });
  move = { owner, actor: ACTOR, nowMs };
});
afterEach(() => bringBack(move, '2026-01-01'));
afterAll(async () => {
  await expectSoundBooks(app);
  await move.owner.close();
  await app.close();
});

async function prepare({ databaseUrl }: TestApp): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await prepareMonths(client, { nowMs });
  await client.end();
}

const out = (before: number) => moveOut(move, `${month(before)}-01`);
const back = (from: number) => bringBack(move, `${month(from)}-01`);
const monthsHere = async () => (await listMonths(app.db)).filter(({ here }) => here).map(({ part }) => part);
const firstHere = async () => (await monthsHere())[0]?.from?.slice(0, 7);

describe('months', () => {
  test('follow one another without a gap, half a year ahead', async () => {
    const parts = await monthsHere();
    expect([parts[0]?.from, parts.at(-1)?.below]).toEqual([undefined, `${month(NOW + 7)}-01`]);
    for (const [place, part] of parts.entries())
      if (place > 0) expect(part.from).toBe(parts[place - 1]?.below);
  });

  test('take what was written before they were made, and what comes after them has a place', async () => {
    const later = await startTestApp();
    try {
      const { id } = await createCard(later);
      for (const moment of ['2026-12-31T23:59:59.999Z', at(20, '01'), at(100, '15')]) {
        const [fromMs, toMs] = [Date.parse(moment), Date.parse(moment)];
        await fillTransactions(later, later.program, [id], { count: 1, fromMs, toMs });
      }
      const places = async () =>
        (
          await sql<{ place: string }>(
            later.databaseUrl,
            'select tableoid::regclass::text as place from transactions order by id',
          )
        ).map(({ place }) => place.slice('transactions_'.length));
      expect(await places()).toEqual(['2026', 'later', 'later']);
      await prepare(later);
      await prepare(later);
      expect(await places()).toEqual(['2026', month(20).replace('-', '_'), 'later']);
    } finally {
      await later.close();
    }
  });

  test('go on where they ended, even if all of them have moved out', async () => {
    const none = await startTestApp();
    try {
      for (const { name } of (await listMonths(none.db)).slice(1))
        await sql(none.databaseUrl, `alter table transactions detach partition ${name}`);
      await prepare(none);
      const here = (await listMonths(none.db)).filter((known) => known.here);
      expect(here.at(-1)?.part.below).toBe(`${month(NOW + 7)}-01`);
    } finally {
      await none.close();
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
    const range = { fromMs: Date.parse(at(6, '03')), toMs: Date.parse(at(10, '20')) };
    const turns = [cards[0], cards[0], cards[1]] as string[];
    const made = (await fillTransactions(app, program, turns, { count: 3_700, ...range })).reverse();
    const lists = [undefined, ...cards].map((cardId) => ({
      cardId,
      path: cardId ? `/api/v1/merchant/cards/${cardId}/transactions/` : ALL,
      list: { table: 'transactions' as const, ...(cardId && { cardId }) },
      ids: made.filter((record) => !cardId || record.cardId === cardId).map(({ id }) => id),
    }));
    if (milestones)
      for (const { list } of lists)
        await insertMilestones(app.db, list, program.id, lowestIdAt(range.toMs), 10_000);
    const get = async (path: string) => (await app.call('GET', path, { key })).body;
    const shown = (body: { results: Array<{ id: string }> }) => body.results.map(({ id }) => id);

    /** Everything from a month on is listed, and nothing else is. */
    const check = async (first: number) => {
      const firstId = lowestIdAt(Date.parse(`${month(first)}-01`));
      for (const { path, ids } of lists) {
        const here = ids.filter((id) => id >= firstId);
        const last = Math.ceil(here.length / 100);
        for (const page of [1, 2, Math.ceil(last / 2), last, last + 1]) {
          const body = await get(`${path}?page=${page}&page_size=100`);
          expect([path, page, body.count]).toEqual([path, page, here.length]);
          expect(shown(body)).toEqual(here.slice((page - 1) * 100, page * 100));
        }
        for (const [from, to] of [
          [`${month(6)}-20`, `${month(9)}-10`],
          [`${month(9)}-01`, `${month(9)}-28`],
          [`${month(6)}-01`, `${month(7)}-28`],
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
    const grow = async () => {
      const [fromMs, toMs] = [Date.parse(at(11, '01')), Date.parse(at(11, '10'))];
      const more = await fillTransactions(app, program, turns, { count: 1_500, fromMs, toMs });
      for (const { list, cardId, ids } of lists) {
        ids.unshift(
          ...more
            .filter((record) => !cardId || record.cardId === cardId)
            .map(({ id }) => id)
            .reverse(),
        );
        await insertMilestones(app.db, list, program.id, lowestIdAt(toMs), 10_000);
      }
    };
    await check(0);
    await out(8);
    await check(8);
    await out(10);
    expect(await firstHere()).toBe(month(10));
    await check(10);
    await grow();
    await check(10);
    await back(9);
    expect(await firstHere()).toBe(month(9));
    await check(9);
    await back(-100);
    await check(0);
  });

  test('late messages about a purchase of then find its card, and its answers are still known', async () => {
    const program = await ownProgram(app);
    await setClock(app, at(4, '10'), program.key);
    const [card, other] = [await payingCard(app, {}, program), await payingCard(app, {}, program)];
    const request = authorizationOf(card, '12.00');
    const first = await send(app, 'authorizations', request, program);
    const purchase = request.external_transaction_id;
    await send(app, 'clearings', clearingOf(card, purchase, '12.00'), program);
    await setClock(app, at(NOW, '14'), program.key);
    await out(5);
    expect(await transactionsOf(app, card)).toEqual([]);

    const again = await send(app, 'authorizations', request, program);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const late = async (door: NetworkPath, body: object) => {
      const { status, body: answer } = await send(app, door, body, program);
      return [status, answer.message ?? answer.status];
    };
    const tooOld = 'external_transaction_id: the purchase is too old, it has moved out';
    const otherCard = 'card_number: is not the card of this purchase';
    expect(await late('reversals', reversalOf(purchase))).toEqual([400, tooOld]);
    const refund = refundOf(card, '5.00', { external_transaction_id: purchase });
    const clearing = clearingOf(card, purchase, '1.00');
    for (const [door, body] of [
      ['refunds', refund],
      ['clearings', clearing],
    ] as const)
      expect(await late(door, { ...body, card_number: other.number })).toEqual([400, otherCard]);
    expect([await transactionsOf(app, card), await availableOf(app, card)]).toEqual([[], 238]);
    expect(await late('refunds', refund)).toEqual([200, 'CLEARED']);
    expect(await late('clearings', clearing)).toEqual([200, 'CLEARED']);
    expect(await late('clearings', clearing)).toEqual([200, 'CLEARED']);
    expect([(await transactionsOf(app, card)).length, await availableOf(app, card)]).toEqual([2, 242]);
    expect(await transactionsOf(app, other)).toEqual([]);
  });

  test('reports of then are what they were', async () => {
    const program = await ownProgram(app);
    await setClock(app, at(6, '02'), program.key);
    const card = await payingCard(app, {}, program);
    const purchase = await hold(app, card, '8.00');
    await send(app, 'clearings', clearingOf(card, purchase, '8.00'), program);
    await app.call('POST', `/api/v1/merchant/cards/${card.id}/reissue/`, { key: program.key, body: {} });
    await setClock(app, at(NOW, '14'), program.key);
    const read = async () => {
      const subject = subjectOf('monthly', `${month(6)}-15`, `${month(NOW)}-14`, `${month(6)}-02`);
      const { content } = await openReport({ db: app.db, ...app.reports }, program.program, subject);
      return text(content);
    };
    const before = await read();
    const { rows } = readCsv(before);
    expect(rows.map((row) => row['last_four'])).toContain(card.number.slice(-4));
    await out(8);
    expect(await read()).toBe(before);
  });

  test('nobody who pays meanwhile notices', async () => {
    const program = await ownProgram(app);
    await setClock(app, at(NOW, '14'), program.key);
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
    await out(12);
    await back(-100);
    going = false;
    await Promise.all(paying);
    expect(approved).toBeGreaterThan(0);
    const { body } = await app.call('GET', ALL, { key: program.key });
    expect(body.count).toBe(approved);
  });

  test('are in the audit', async () => {
    const moved = (await out(2)).map(({ name }) => name);
    const rows = await sql<{ actor: string; action: string; part: string }>(
      app.databaseUrl,
      `select actor, action, after ->> 'part' as part from audit_entries
       where program_id = $1 order by id desc limit ${moved.length}`,
      [INSTALLATION_ID],
    );
    const entry = { actor: ACTOR, action: 'transactions.moved_out' };
    expect(rows).toEqual(moved.toReversed().map((part) => ({ ...entry, part })));
  });

  test('two operators take turns', async () => {
    const other = { ...move, onMoved: undefined };
    const [one, two] = await Promise.all([out(6), moveOut(other as never, `${month(4)}-01`)]);
    expect(new Set([...one, ...two].map(({ name }) => name)).size).toBe(one.length + two.length);
    expect(await firstHere()).toBe(month(6));
    await Promise.all([back(3), moveOut(move, `${month(5)}-01`)]);
    const here = await monthsHere();
    const [bound] = await sql<{ id: string }>(
      app.databaseUrl,
      'select below_id as id from moved_out_transactions',
    );
    expect(bound?.id).toBe(lowestIdAt(Date.parse(here[0]?.from as string)));
  });

  test('come back only without a hole', async () => {
    const names = (await out(6)).map(({ name }) => name);
    const lost = names.at(-1) as string;
    await sql(app.databaseUrl, `alter table ${lost} rename to lost`);
    await expect(back(-100)).rejects.toThrow(
      `what comes after ${names.at(-2)} is not here: restore its dump first`,
    );
    expect(await firstHere()).toBe(month(6));
    await sql(app.databaseUrl, `alter table lost rename to ${lost}`);
  });

  test('wait for whoever reads, and keep nobody else waiting for long', async () => {
    const reader = new pg.Client({ connectionString: app.databaseUrl });
    await reader.connect();
    await reader.query('begin; select from transactions limit 1');
    const moving = out(2);
    await vi.waitFor(async () => {
      const waiting = `select from pg_locks where not granted and relation = 'transactions'::regclass`;
      expect(await sql(app.databaseUrl, waiting)).toHaveLength(1);
    }, 10_000);
    expect((await app.call('GET', ALL)).status).toBe(200);
    expect((await monthsHere())[0]?.from).toBeUndefined();
    await reader.query('commit');
    await reader.end();
    expect((await moving).length).toBeGreaterThan(0);
  });
});

describe('what stays', () => {
  test('the last thirteen months', async () => {
    await expect(out(NOW - 12)).rejects.toThrow(
      `--before: must be ${month(NOW - 13)} or earlier: 13 months stay here`,
    );
    expect(await firstHere()).toBeUndefined();
  });

  test('a month in which something is still on hold, and those after it', async () => {
    const { program, key } = await app.addProgram();
    const { id } = await createCard(app, {}, key);
    const [fromMs, toMs] = [Date.parse(at(5, '03')), Date.parse(at(5, '04'))];
    const [held] = await fillTransactions(app, program, [id], { count: 1, fromMs, toMs });
    const setHeld = (minor: number) =>
      sql(app.databaseUrl, 'update transactions set held_minor = $2 where id = $1', [held?.id, minor]);
    await setHeld(1);
    await expect(out(8)).rejects.toThrow(`transactions_${month(5).replace('-', '_')} has amounts on hold`);
    expect(await firstHere()).toBe(month(5));
    await setHeld(0);
  });
});
