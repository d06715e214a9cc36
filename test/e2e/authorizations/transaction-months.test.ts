import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { prepareMonths } from '../../../src/db/months.ts';
import { addMonths } from '../../../src/kernel/calendar.ts';
import { lowestIdAt } from '../../../src/kernel/ids.ts';
import { insertMilestones } from '../../../src/lists/queries.ts';
import { openReport } from '../../../src/reports/open-report.ts';
import { subjectOf } from '../../../src/reports/report.ts';
import { createCard } from '../../support/cards/cards.ts';
import {
  authorizationOf,
  clearingOf,
  type NetworkPath,
  networkApp,
  ownProgram,
  payingCard,
  refundOf,
  reversalOf,
  send,
} from '../../support/cards/network.ts';
import { fillTransactions } from '../../support/cards/swipe.ts';
import { readCsv } from '../../support/reports/csv.ts';
import { setClock } from '../../support/server/clock.ts';
import { startTestApp, type TestApp } from '../../support/server/test-app.ts';

/** Months from now, since a program's clock only moves forward: `2027-03`. */
const THIS_MONTH = new Date().toISOString().slice(0, 7);
const month = (ahead: number): string => addMonths(`${THIS_MONTH}-01`, ahead).slice(0, 7);
const at = (ahead: number, day: string): string => `${month(ahead)}-${day}T12:00:00Z`;
const NOW = 30;
const nowMs = Date.parse(at(NOW, '15'));

const app = networkApp();
beforeAll(async () => {
  await prepare(app);
});

const prepare = (on: TestApp) => withClient(on, (client) => prepareMonths(client, { nowMs }));

async function withClient(
  { databaseUrl }: TestApp,
  use: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await use(client);
  await client.end();
}

/** Oldest first, each with the ids of its bounds. */
const partitions = () =>
  app.sql<{ name: string; bounds: string[] }>(
    `select c.relname::text as name, array(
              select id[1] from regexp_matches(pg_get_expr(c.relpartbound, c.oid), '[0-9a-f-]{36}', 'g') as id) as bounds
     from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = 'transactions'::regclass order by c.relname`,
  );

/** The end of a table's name on a cluster. */
const SHARD = /_\d{6}$/;

describe('monthly partitions', () => {
  test('follow one another without a gap, six months ahead', async () => {
    const found = await partitions();
    expect([found[0]?.name, found.at(-1)?.name]).toEqual(['transactions_2026', 'transactions_later']);
    expect(found.at(-1)?.bounds).toEqual([lowestIdAt(Date.parse(`${month(NOW + 7)}-01`))]);
    expect(found.slice(1).map(({ bounds }) => bounds[0])).toEqual(
      found.slice(0, -1).map(({ bounds }) => bounds.at(-1)),
    );
  });

  test('receive rows that were written before they existed; rows of later months stay in transactions_later', async () => {
    const later = await startTestApp();
    try {
      const { id } = await createCard(later);
      for (const moment of ['2026-12-31T23:59:59.999Z', at(20, '01'), at(100, '15')]) {
        const [fromMs, toMs] = [Date.parse(moment), Date.parse(moment)];
        await fillTransactions(later, later.program, [id], { count: 1, fromMs, toMs });
      }
      const tables = async () =>
        (
          await later.sql<{ name: string }>(
            'select tableoid::regclass::text as name from transactions order by id',
          )
        ).map(({ name }) => name.slice('transactions_'.length).replace(SHARD, ''));
      expect(await tables()).toEqual(['2026', 'later', 'later']);
      await prepare(later);
      await prepare(later);
      expect(await tables()).toEqual(['2026', month(20).replace('-', '_'), 'later']);
    } finally {
      await later.close();
    }
  });
});

describe('months archived as docs/operate.md says', () => {
  const [, recipe = ''] =
    /^## Old transactions$.*?^```sql$(.*?)^```$/ms.exec(readFileSync('docs/operate.md', 'utf8')) ?? [];

  /** All months before one. The statements are sent one by one, as psql does. */
  async function archive(before: number): Promise<void> {
    const first = `transactions_${month(before).replace('-', '_')}`;
    const names = (await partitions()).map(({ name }) => name).filter((name) => name < first);
    await withClient(app, async (client) => {
      for (const name of names)
        for (const statement of recipe.replaceAll('transactions_2027_01', name).split(';'))
          await client.query(statement);
    });
    expect((await partitions())[0]?.name).toBe(first);
  }

  test('are not in the lists, whose counts and pages cover the remaining rows', async () => {
    const { program, key } = await app.addProgram();
    const cards = [(await createCard(app, {}, key)).id, (await createCard(app, {}, key)).id];
    const range = { fromMs: Date.parse(at(6, '03')), toMs: Date.parse(at(10, '20')) };
    const turns = [cards[0], cards[0], cards[1]] as string[];
    const made = (await fillTransactions(app, program, turns, { count: 3_700, ...range })).reverse();
    const lists = [undefined, ...cards].map((cardId) => ({
      path: `/api/v1/merchant/${cardId ? `cards/${cardId}/` : ''}transactions/`,
      list: { table: 'transactions' as const, ...(cardId && { cardId }) },
      ids: made.filter((record) => !cardId || record.cardId === cardId).map(({ id }) => id),
    }));
    const addMilestones = async () => {
      for (const { list } of lists)
        await insertMilestones(app.db, list, program.id, lowestIdAt(range.toMs), 10_000);
    };
    /** Everything from a month on is listed, and nothing else is. */
    const check = async (first: number) => {
      const firstId = lowestIdAt(Date.parse(`${month(first)}-01`));
      for (const { path, ids } of lists) {
        const here = ids.filter((id) => id >= firstId);
        const last = Math.ceil(here.length / 100);
        for (const page of [1, Math.ceil(last / 2), last, last + 1]) {
          const { body } = await app.call('GET', `${path}?page=${page}&page_size=100`, { key });
          expect([path, page, body.count]).toEqual([path, page, here.length]);
          const shown = body.results.map(({ id }: { id: string }) => id);
          expect(shown).toEqual(here.slice((page - 1) * 100, page * 100));
        }
      }
    };
    await addMilestones();
    await check(0);
    await archive(8);
    await check(8);
    await addMilestones();
    await check(8);
  });

  test('late messages: repeats get their response, clearings and refunds are booked, reversals refused', async () => {
    const program = await ownProgram(app);
    await setClock(app, at(9, '10'), program.key);
    const card = await payingCard(app, {}, program);
    const request = authorizationOf(card, '12.00');
    const first = await send(app, 'authorizations', request, program);
    const purchase = request.external_transaction_id;
    await card.clear(purchase, '12.00');
    const unauthorized = 'never-authorized';
    const forced = clearingOf(card, unauthorized, '3.00', { card_number: card.number });
    expect((await send(app, 'clearings', forced, program)).status).toBe(200);
    await setClock(app, at(NOW, '14'), program.key);
    await archive(10);
    expect([await card.transactions(), await card.available()]).toEqual([[], 235]);

    const again = await send(app, 'authorizations', request, program);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const late = async (path: NetworkPath, body: object) => {
      const { status, body: answer } = await send(app, path, body, program);
      return [status, answer.message ?? answer.status];
    };
    for (const id of [purchase, unauthorized]) {
      const archived = 'external_transaction_id: the purchase is archived';
      expect(await late('reversals', reversalOf(id))).toEqual([400, archived]);
      const clearing = clearingOf(card, id, '1.00', { card_number: card.number });
      for (const _ of ['first', 'repeated'])
        expect(await late('clearings', clearing)).toEqual([200, 'CLEARED']);
    }
    const refund = refundOf(card, '5.00', { external_transaction_id: purchase, card_number: card.number });
    expect(await late('refunds', refund)).toEqual([200, 'CLEARED']);
    expect([(await card.transactions()).length, await card.available()]).toEqual([3, 238]);
  });

  test('reports do not change', async () => {
    const program = await ownProgram(app);
    await setClock(app, at(11, '02'), program.key);
    const card = await payingCard(app, {}, program);
    const purchase = await card.hold('8.00');
    await card.clear(purchase, '8.00');
    await app.call('POST', `/api/v1/merchant/cards/${card.id}/reissue/`, { key: program.key, body: {} });
    await setClock(app, at(NOW, '14'), program.key);
    const read = async () => {
      const subject = subjectOf('monthly', `${month(11)}-15`, `${month(NOW)}-14`, `${month(11)}-02`);
      const { content } = await openReport({ db: app.db, ...app.reports }, program.program, subject);
      return text(content);
    };
    const before = await read();
    expect(readCsv(before).rows.map((row) => row['last_four'])).toContain(card.number.slice(-4));
    await archive(12);
    expect(await read()).toBe(before);
  });
});
