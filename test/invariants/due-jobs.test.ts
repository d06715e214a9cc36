import { expect, test } from 'vitest';
import { holdExpiry } from '../../src/authorizations/engine/expire-holds.ts';
import { hourlyTotals } from '../../src/authorizations/totals/update-hourly-totals.ts';
import { maintenanceFees } from '../../src/cards/charge-maintenance.ts';
import { cardExpiry } from '../../src/cards/expire-cards.ts';
import type { Database } from '../../src/db/database.ts';
import { addMonths } from '../../src/kernel/calendar.ts';
import { updateProgram } from '../../src/programs/update-program.ts';
import { createCard } from '../support/cards/cards.ts';
import {
  MERCHANT,
  networkApp,
  newMessageId,
  type Owner,
  ownProgram,
  type PayingCard,
  payingCard,
  reversalOf,
} from '../support/cards/network.ts';
import { seededRandom } from '../support/scripts/random.ts';
import { testActor } from '../support/server/actor.ts';
import { advanceSeconds, today } from '../support/server/clock.ts';
import { passTime, runToEnd } from '../support/server/jobs.ts';

/**
 * Work that is due is found, whatever happened before: moved clocks, other hold days, authorizations for old
 * transactions, workers that died in the middle, two at once. Nothing but the row of a job leads a worker to a program,
 * so a time that is too late would leave its work undone.
 */
const app = networkApp();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const jobs = (db: Database) => [
  holdExpiry({ db, submit: app.submit }),
  maintenanceFees(db),
  cardExpiry(db),
  hourlyTotals(db),
];

/** What a worker does when it looks; two of them. */
const look = () => Promise.all([app.db, app.db].flatMap(jobs).map((job) => runToEnd(job)));

/** A worker that is killed at one of its next statements. */
async function lookAndDie(statements: number): Promise<void> {
  let left = statements;
  const die = async () => {
    if (left-- <= 0) throw new Error('killed');
  };
  const db: Database = {
    ...app.db,
    query: async (...given) => {
      await die();
      return app.db.query(...given);
    },
    transaction: async (work, patience) => {
      await die();
      return app.db.transaction(work, patience);
    },
  };
  await Promise.allSettled(jobs(db).map((job) => runToEnd(job)));
}

/** What should have been done long ago. */
async function undone({ program }: Owner): Promise<string[]> {
  const rows = await app.sql<{ what: string }>(
    `with p as (select *, clock_timestamp() + clock_offset_ms * interval '1 ms' as now from programs where id = $1)
     select 'hold of ' || t.created_at || ' at ' || p.now as what from transactions t, p
     where t.program_id = $1 and t.held_minor > 0
       and t.created_at < p.now - interval '1 day' * case t.merchant_mcc when '7011' then long_hold_days else hold_days end
     union all
     select 'fee of ' || coalesce(c.month::text, 'no month') || ' at ' || p.now
     from p left join maintenance_cursors c on c.program_id = $1
     where date_trunc('month', p.now at time zone 'utc') > date_trunc('month', p.created_at at time zone 'utc')
       and not coalesce(c.month > date_trunc('month', p.now at time zone 'utc'), false)
     union all
     select 'expiry of ' || c.expiry_event_due || ' at ' || p.now from cards c, p
     where c.program_id = $1 and c.expiry_event_due < (p.now at time zone 'utc')::date
     union all
     select 'total of ' || t.created_at || ' at ' || p.now from transactions t, p
     where t.program_id = $1 and t.kind = 'purchase' and t.created_at between p.now - interval '60 days' and p.now - interval '70 minutes'
       and not exists (
         select from cursors c where c.program_id = $1 and c.name = 'transaction-totals' and c.position > t.id)`,
    [program.id],
  );
  return rows.map(({ what }) => what);
}

test.each([3, 17])(
  'work of a random history is never left undone (seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    const below = (count: number) => Math.floor(random() * count);
    const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
    const owner = await ownProgram(app);
    const card: PayingCard = await payingCard(app, { spendLimit: 1_000_000 }, owner);
    const change = async (terms: object) =>
      updateProgram(app.db, await testActor(app.db, owner.program.id), terms);
    await change({ maintenanceFeeMinor: 150n });
    const purchases: Array<{ id: string; merchant: object }> = [];
    const known = () => pick(purchases) ?? { id: newMessageId('none'), merchant: MERCHANT };

    const actions: Array<() => Promise<unknown>> = [
      async () => {
        const purchase = { id: newMessageId('due'), merchant: { ...MERCHANT, mcc: pick(['5814', '7011']) } };
        purchases.push(purchase);
        const first = pick(['authorization', 'authorization', 'clearing']);
        const more = { external_transaction_id: purchase.id, merchant: purchase.merchant };
        if (first === 'authorization') await card.authorize('9.00', more);
        else {
          const body = { final: false, card_number: card.number, merchant: purchase.merchant };
          await card.clear(purchase.id, '1.00', body);
        }
      },
      // Holds money on a transaction of some days ago, which held none or less.
      async () => {
        const { id, merchant } = known();
        await card.authorize('9.00', { external_transaction_id: id, merchant });
      },
      async () => card.send('reversals', reversalOf(known().id)),
      async () => change({ holdDays: 1 + below(9), longHoldDays: 1 + below(15) }),
      async () => advanceSeconds(app, pick([1, 50, 3_000, 90_000, 700_000]), owner.key),
      async () => {
        const expiryDate = addMonths(await today(app, owner.key), 1 + below(2));
        await createCard(app, { expiryDate }, owner.key);
      },
      async () => lookAndDie(below(25)),
      async () => Promise.all([look(), advanceSeconds(app, pick([20, 86_400, 600_000]), owner.key)]),
      async () => Promise.all([look(), change({ holdDays: 1 + below(9) })]),
    ];
    for (let round = 0; round < 45; round++) {
      await pick([...actions, actions[0] as never, actions[0] as never, actions[1] as never])();
      // The lease of a worker that died ends, and so does the minute after a move of the clock.
      await passTime(
        app,
        owner.program.id,
        pick([16_000, 70_000, 20 * MINUTE_MS, 5 * HOUR_MS, DAY_MS, 2 * DAY_MS, 6 * DAY_MS]),
      );
      await look();
      expect([round, await undone(owner)]).toEqual([round, []]);
    }
    // The rule would hold, too, if a worker looked at every program each time.
    await passTime(app, owner.program.id, 70_000);
    await look();
    const rows = await app.sql<{ ms: number }>(
      'select extract(epoch from due_at - clock_timestamp())::float8 * 1000 as ms from program_jobs where program_id = $1 and job = any ($2)',
      [owner.program.id, ['hold-expiry', 'maintenance-fees', 'card-expiry', 'hourly-totals']],
    );
    expect(rows.filter(({ ms }) => ms > 0)).toHaveLength(4);
  },
  120_000,
);
