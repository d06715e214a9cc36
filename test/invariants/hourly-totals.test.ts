import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { updateHourlyTotals } from '../../src/authorizations/totals/update-hourly-totals.ts';
import { readOverview } from '../../src/console-api/overview/read-overview.ts';
import type { Database } from '../../src/db/database.ts';
import { newId } from '../../src/kernel/ids.ts';
import { createCard } from '../support/cards/cards.ts';
import { incrementOf, type Owner, ownProgram, payingCard } from '../support/cards/network.ts';
import { fillTransactions, follow, swipe } from '../support/cards/swipe.ts';
import { seededRandom } from '../support/scripts/random.ts';
import { testActor } from '../support/server/actor.ts';
import { advanceSeconds, setClock } from '../support/server/clock.ts';
import { appForTests } from '../support/server/test-app.ts';

/**
 * The overview is the plain count over the transactions, however much of it was counted before, by however many
 * workers, and whatever the clock did meanwhile. Only what changes a purchase after it was counted is missing.
 */
const app = appForTests();

const HOUR_MS = 3_600_000;
const LENGTHS = { '24h': 86_400_000, '7d': 7 * 86_400_000, '30d': 30 * 86_400_000 };
type WindowName = keyof typeof LENGTHS;

const overview = async (owner: Owner, window: WindowName, tailLimit?: number) =>
  readOverview(app, await testActor(app.db, owner.program.id), window, tailLimit);

interface Decided {
  ms: number;
  reason: string | null;
  merchant: string;
  bill: number;
}
const decidedIn = async ({ program }: Owner): Promise<Decided[]> =>
  app.sql<Decided & pg.QueryResultRow>(
    `select extract(epoch from created_at)::float8 * 1000 as ms, decline_reason as reason, merchant_name as merchant,
            bill_amount_minor::int as bill
     from transactions where program_id = $1 and kind = 'purchase'`,
    [program.id],
  );

const summed = (some: Decided[]) => {
  const approved = some.filter(({ reason }) => reason === null);
  const minor = approved.reduce((sum, { bill }) => sum + bill, 0);
  return {
    approved: approved.length,
    declined: some.length - approved.length,
    spend: (minor / 100).toFixed(2),
  };
};

/** The overview as a plain count would have it, for the moment and the window of an answer. */
function plainly(
  all: Decided[],
  { now, window, slices, days, sliceSeconds }: Awaited<ReturnType<typeof overview>>,
) {
  const length = LENGTHS[window];
  // A day is compared with the same weekday.
  const earlier = Math.max(length, LENGTHS['7d']);
  const startMs = Date.parse(slices[0]?.start as string);
  const between = (fromMs: number, toMs: number) => all.filter(({ ms }) => ms >= fromMs && ms < toMs);
  const own = between(startMs, startMs + length);
  const count = <Key extends string>(keys: Key[]) =>
    [...new Set(keys)].map((key) => [key, keys.filter((other) => other === key).length] as const);
  const reasons = count(own.flatMap(({ reason }) => reason ?? []));
  const spentAt = (shop: string) =>
    own.filter(({ reason, merchant }) => reason === null && merchant === shop);
  return {
    slices: slices.map(({ start }) => ({
      start,
      ...summed(between(Date.parse(start), Date.parse(start) + sliceSeconds * 1_000)),
    })),
    totals: summed(own),
    previous: summed(between(startMs - earlier, Math.round((Date.parse(now) - earlier) / HOUR_MS) * HOUR_MS)),
    days: days.map(({ start }) => ({
      start,
      ...summed(between(Date.parse(start), Date.parse(start) + 24 * HOUR_MS)),
    })),
    reasons: reasons.sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)),
    merchants: [...new Set(own.filter(({ reason }) => reason === null).map(({ merchant }) => merchant))]
      .map((shop) => [shop, summed(spentAt(shop)).approved, summed(spentAt(shop)).spend] as const)
      .sort(([a, , x], [b, , y]) => Number(y) - Number(x) || (a < b ? -1 : 1)),
  };
}

async function expectPlainCount(owner: Owner): Promise<void> {
  for (const window of ['24h', '7d', '30d'] as const) {
    const answer = await overview(owner, window);
    const { cards: _cards, ...totals } = answer.totals;
    const shown = {
      slices: answer.slices,
      totals,
      previous: answer.previous,
      days: answer.days,
      reasons: answer.declineReasons.map(({ reason, count }) => [reason, count]),
      merchants: answer.topMerchants.map(({ name, count, spend }) => [name, count, spend]),
    };
    expect(shown).toEqual(plainly(await decidedIn(owner), answer));
    expect(answer.complete).toBe(true);
  }
}

const totalsOf = async ({ program }: Owner) =>
  app.sql<{ starts_at: Date; approved: string }>(
    'select starts_at, approved from hourly_totals where program_id = $1 order by starts_at',
    [program.id],
  );

test.each([11, 47])('random traffic, jumps of the clock and two workers (seed %i)', async (seed) => {
  const random = seededRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const owner = await ownProgram(app);
  await setClock(app, '2030-05-01T00:00:00Z', owner.key);
  const cards = [
    await createCard(app, { spendLimit: 100_000 }, owner.key),
    await createCard(app, { spendLimit: 9 }, owner.key),
  ];
  const work = () => updateHourlyTotals(app.db, owner.program.id);
  for (let round = 0; round < 45; round++) {
    const shop = () => pick(['Bakery', 'Garage', 'Cinema']);
    const spend = async () => {
      const merchant = { id: 'm', name: shop(), mcc: '5814', city: 'X', country: 'GB' };
      const amount = `${Math.floor(random() * 50)}.${10 + Math.floor(random() * 80)}`;
      const { transaction_id, approved } = await swipe(app, pick(cards).id, amount, { merchant }, owner.key);
      const what = pick(['clearings', 'reversals', 'refunds', 'nothing', 'nothing'] as const);
      if (approved && what !== 'nothing') await follow(app, what, { transaction_id }, owner.key);
    };
    const traffic = Array.from({ length: Math.floor(random() * 4) }, spend);
    await Promise.all([...traffic, ...(random() < 0.5 ? [work(), work()] : [])]);
    if (random() < 0.3) await expectPlainCount(owner);
    await advanceSeconds(app, pick([1, 20, 130, 300, 3_600, 26 * 3_600, 4 * 86_400]), owner.key);
  }
  await Promise.all([work(), work()]);
  expect((await totalsOf(owner)).length).toBeGreaterThan(5);
  await expectPlainCount(owner);
});

describe('the worker counts', () => {
  const MOMENT = '2030-05-15T12:07:30Z';
  async function begin(): Promise<Owner> {
    const owner = await ownProgram(app);
    await setClock(app, MOMENT, owner.key);
    const { id } = await createCard(app, {}, owner.key);
    await swipe(app, id, '1.00', {}, owner.key);
    return owner;
  }

  test('each five minutes once they are over, added to the totals of their hour', async () => {
    const owner = await begin();
    await setClock(app, '2030-05-15T12:09:50Z', owner.key);
    await updateHourlyTotals(app.db, owner.program.id);
    expect(await totalsOf(owner)).toEqual([]);
    await setClock(app, '2030-05-15T12:10:00Z', owner.key);
    await updateHourlyTotals(app.db, owner.program.id);
    expect(await totalsOf(owner)).toEqual([{ starts_at: new Date('2030-05-15T12:00:00Z'), approved: '1' }]);
    await swipe(app, (await createCard(app, {}, owner.key)).id, '1.00', {}, owner.key);
    await setClock(app, '2030-05-15T12:40:00Z', owner.key);
    await updateHourlyTotals(app.db, owner.program.id);
    expect(await totalsOf(owner)).toEqual([{ starts_at: new Date('2030-05-15T12:00:00Z'), approved: '2' }]);
  });

  test('not before a transaction that may still commit', async () => {
    const owner = await begin();
    const slow = new pg.Client({ connectionString: app.databaseUrl });
    await slow.connect();
    await slow.query('begin');
    await slow.query(
      `insert into transactions
       select (t).* from (
         select jsonb_populate_record(t, jsonb_build_object('id', $2::text)) as t from transactions t where program_id = $1) copy`,
      [owner.program.id, newId(Date.parse(MOMENT) + 1_000)],
    );
    await setClock(app, '2030-05-15T12:20:00Z', owner.key);
    await updateHourlyTotals(app.db, owner.program.id);
    expect(await totalsOf(owner)).toEqual([]);
    await slow.query('commit');
    await slow.end();
    await updateHourlyTotals(app.db, owner.program.id);
    expect(await totalsOf(owner)).toMatchObject([{ approved: '2' }]);
  });

  test('what a worker that died before its commit left uncounted', async () => {
    const owner = await begin();
    await setClock(app, '2030-05-15T12:20:00Z', owner.key);
    const dying: Database = {
      ...app.db,
      transaction: (work, patience) =>
        app.db.transaction(async (tx) => {
          await work(tx);
          throw new Error('killed');
        }, patience),
    };
    await expect(updateHourlyTotals(dying, owner.program.id)).rejects.toThrow('killed');
    expect(await totalsOf(owner)).toEqual([]);
    await updateHourlyTotals(app.db, owner.program.id);
    await updateHourlyTotals(app.db, owner.program.id);
    expect(await totalsOf(owner)).toMatchObject([{ approved: '1' }]);
  });

  test('nothing older than the longest window, and deletes totals that become older', async () => {
    const owner = await begin();
    await setClock(app, '2030-08-01T00:00:00Z', owner.key);
    await updateHourlyTotals(app.db, owner.program.id);
    expect(await totalsOf(owner)).toEqual([]);
    const pay = async () => swipe(app, (await createCard(app, {}, owner.key)).id, '1.00', {}, owner.key);
    await pay();
    await setClock(app, '2030-08-02T00:00:00Z', owner.key);
    await updateHourlyTotals(app.db, owner.program.id);
    await pay();
    await setClock(app, '2030-10-03T00:00:00Z', owner.key);
    await updateHourlyTotals(app.db, owner.program.id);
    expect(await totalsOf(owner)).toEqual([{ starts_at: new Date('2030-08-02T00:00:00Z'), approved: '1' }]);
  });
});

test('a purchase counts as it was when it was counted: a later increment adds nothing', async () => {
  const owner = await ownProgram(app);
  await setClock(app, '2030-05-15T12:07:30Z', owner.key);
  const card = await payingCard(app, {}, owner);
  const id = await card.hold('10.00');
  const raise = () => card.send('increments', incrementOf(card, id, '5.00'));
  await raise();
  await expectPlainCount(owner);
  await setClock(app, '2030-05-15T13:30:00Z', owner.key);
  await updateHourlyTotals(app.db, owner.program.id);
  await raise();
  await updateHourlyTotals(app.db, owner.program.id);
  expect((await overview(owner, '24h')).totals).toMatchObject({ approved: 1, spend: '15.00' });
});

test('many transactions are counted in parts; until then the overview says that it is incomplete', async () => {
  const owner = await ownProgram(app);
  const { id } = await createCard(app, {}, owner.key);
  const range = { fromMs: Date.now() - 20 * HOUR_MS, toMs: Date.now() - HOUR_MS };
  await fillTransactions(app, owner.program, [id], { count: 50_000, ...range });
  const early = await overview(owner, '24h', 10_000);
  expect([early.complete, early.totals.approved]).toEqual([false, 10_000]);
  expect((await overview(owner, '24h')).totals.approved).toBe(50_000);
  await updateHourlyTotals(app.db, owner.program.id);
  const late = await overview(owner, '24h', 10_000);
  expect([late.complete, late.totals.approved, late.totals.spend]).toEqual([true, 50_000, '500000.00']);
});
