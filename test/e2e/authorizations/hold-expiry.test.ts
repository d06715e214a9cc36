import { beforeEach, describe, expect, test } from 'vitest';
import { usualDeadline } from '../../../src/authorizations/engine/engine.ts';
import { expireHolds } from '../../../src/authorizations/engine/expire-holds.ts';
import type { Database } from '../../../src/db/database.ts';
import { findCursor } from '../../../src/programs/cursor-queries.ts';
import { updateProgram } from '../../../src/programs/update-program.ts';
import { someRequest } from '../../support/cards/authorization-facts.ts';
import {
  balancesOf,
  clearingOf,
  MERCHANT,
  networkApp,
  newMessageId,
  type Owner,
  ownProgram,
  type PayingCard,
  payingCard,
  reversalOf,
  setTerms,
} from '../../support/cards/network.ts';
import { testActor } from '../../support/server/actor.ts';
import { advanceDays, setClock } from '../../support/server/clock.ts';

const app = networkApp();
let owner: Owner;
let card: PayingCard;
beforeEach(async () => {
  // A program of its own, so that each test has its clock.
  owner = await ownProgram(app);
  await setClock(app, '2095-01-10T12:00:00Z', owner.key);
  card = await payingCard(app, {}, owner);
});

const statuses = async (): Promise<string[]> => (await card.transactions()).map(({ status }) => status);

describe('a hold that was not cleared', () => {
  test('is released after 7 days, immediately when the clock is moved', async () => {
    const { transaction_id, external_transaction_id } = await card.authorize('10.00');
    await setClock(app, '2095-01-17T11:59:00Z', owner.key);
    expect([await statuses(), await card.available()]).toEqual([['PENDING'], 240]);
    await setClock(app, '2095-01-17T12:01:00Z', owner.key);
    expect([await statuses(), await card.available()]).toEqual([['VOID'], 250]);
    expect(await balancesOf(app, owner)).toEqual({ credit: -25_000n });
    const event = (await card.events()).at(-1);
    expect(event).toMatchObject({
      name: 'authorization.expired',
      sequence: 3,
      data: { transaction_id, external_transaction_id, status: 'VOID', bill_amount: '10.00' },
    });
  });

  test('is released once', async () => {
    await card.hold('10.00');
    for (let move = 0; move < 3; move++) await advanceDays(app, 8, owner.key);
    await Promise.all([1, 2, 3].map(() => expireHolds(app, owner.program.id)));
    expect(await card.eventNames()).toEqual(['authorization', 'authorization.expired']);
    expect(await card.available()).toBe(250);
  });

  test('is released after the number of days that its program sets', async () => {
    await setTerms(app, owner, { hold_days: 2 });
    await card.hold('10.00');
    await advanceDays(app, 1, owner.key);
    await card.hold('5.00');
    await setClock(app, '2095-01-12T13:00:00Z', owner.key);
    expect([await statuses(), await card.available()]).toEqual([['PENDING', 'VOID'], 245]);
  });

  test("follows only its own program's clock", async () => {
    await card.hold('10.00');
    const neighbour = await ownProgram(app);
    await setClock(app, '2095-01-10T12:00:00Z', neighbour.key);
    const theirs = await payingCard(app, {}, neighbour);
    await theirs.hold('20.00');
    await advanceDays(app, 8, neighbour.key);
    expect([await card.available(), await theirs.available()]).toEqual([240, 250]);
  });
});

describe('the days of a hold', () => {
  const at = (mcc: string) => ({ merchant: { ...MERCHANT, mcc } });

  test.each([
    ['a coffee shop', '5814', 7],
    ['an airline below the car rental brands', '3350', 7],
    ['a car rental brand', '3357', 30],
    ['a hotel brand', '3501', 30],
    ['lodging', '7011', 30],
    ['a real estate agent above lodging', '7013', 7],
    ['vehicle rental', '7512', 30],
    ['truck rental', '7513', 30],
    ['recreational vehicle rental', '7519', 30],
    ['a cruise line', '4411', 30],
  ])('%s, category %s: %i', async (_what, mcc, days) => {
    await card.hold('10.00', at(mcc));
    const endMs = Date.parse('2095-01-10T12:00:00Z') + days * 86_400_000;
    await setClock(app, new Date(endMs - 60_000).toISOString(), owner.key);
    expect([await statuses(), await card.available()]).toEqual([['PENDING'], 240]);
    await setClock(app, new Date(endMs + 60_000).toISOString(), owner.key);
    expect([await statuses(), await card.available()]).toEqual([['VOID'], 250]);
  });

  test('are two settings of the program, each for its own categories', async () => {
    await setTerms(app, owner, { hold_days: 5, long_hold_days: 2 });
    await card.hold('10.00', at('7011'));
    await card.hold('20.00', at('5814'));
    await setClock(app, '2095-01-12T11:59:00Z', owner.key);
    expect(await statuses()).toEqual(['PENDING', 'PENDING']);
    await setClock(app, '2095-01-12T12:01:00Z', owner.key);
    expect([await statuses(), await card.available()]).toEqual([['PENDING', 'VOID'], 230]);
    await setClock(app, '2095-01-15T12:01:00Z', owner.key);
    expect([await statuses(), await card.available()]).toEqual([['VOID', 'VOID'], 250]);
  });

  test('begin anew with an approved increment, and not with a declined one', async () => {
    const id = await card.hold('10.00');
    await setClock(app, '2095-01-16T12:00:00Z', owner.key);
    await card.increment(id, '5.00');
    expect(await card.available()).toBe(235);
    await setClock(app, '2095-01-17T12:01:00Z', owner.key);
    expect((await card.increment(id, '5000.00')).approved).toBe(false);
    await setClock(app, '2095-01-23T11:59:00Z', owner.key);
    expect([await statuses(), await card.available()]).toEqual([['PENDING'], 235]);
    await setClock(app, '2095-01-23T12:01:00Z', owner.key);
    expect([await statuses(), await card.available()]).toEqual([['VOID'], 250]);
  });
});

describe('days that are raised', () => {
  const DAYS = { holdDays: 30, longHoldDays: 60 };
  const raise = async () => updateProgram(app.db, await testActor(app.db, owner.program.id), DAYS);
  const settle = () => setTerms(app, owner, { clock_moved_at: new Date(Date.now() - 86_400_000) });

  /** A clearing of 1.00; after so many days an authorization of 5.00 holds the rest. */
  async function authorizeLate(days: number, merchant: object, between: () => Promise<unknown>) {
    const id = newMessageId('late');
    const clearing = { final: false, card_number: card.number, merchant };
    await card.clear(id, '1.00', clearing);
    await advanceDays(app, days, owner.key);
    await settle();
    await between();
    await card.hold('5.00', { external_transaction_id: id, merchant });
    expect(await card.available()).toBe(245);
  }

  test.each([
    ['5814', 10, 21],
    ['7011', 35, 26],
  ])('also end a hold that the job has passed already (category %s)', async (mcc, days, more) => {
    await authorizeLate(days, { ...MERCHANT, mcc }, async () => {
      await expireHolds(app, owner.program.id);
      await raise();
    });
    await advanceDays(app, more, owner.key);
    expect(await card.available()).toBe(249);
  });

  test('while the job reads: it does not skip the holds that are possible now', async () => {
    const query: Database['query'] = async (...statement) => {
      const rows = await app.db.query(...statement);
      if ((statement[0] as { name?: string }).name === 'list_holds') await raise();
      return rows as never;
    };
    await authorizeLate(10, MERCHANT, () =>
      expireHolds({ ...app, db: { ...app.db, query } }, owner.program.id),
    );
    await advanceDays(app, 21, owner.key);
    expect(await card.available()).toBe(249);
  });
});

test('a late authorization holds nothing if the category of its clearing does not allow the days', async () => {
  const id = newMessageId('late');
  const early = { final: false, card_number: card.number, merchant: MERCHANT };
  await card.clear(id, '1.00', early);
  await advanceDays(app, 10, owner.key);
  await card.hold('5.00', { external_transaction_id: id, merchant: { ...MERCHANT, mcc: '7011' } });
  expect(await card.available()).toBe(249);
});

describe('after the release', () => {
  test('a late clearing spends the money, a late reversal releases nothing, a repeated authorization gets its first response', async () => {
    const approval = await card.authorize('10.00');
    const id = approval.external_transaction_id;
    await advanceDays(app, 8, owner.key);
    const reversal = await card.send('reversals', reversalOf(id));
    expect(reversal.body).toMatchObject({ status: 'VOID', bill_amount: '0.00' });
    const clearing = await card.send('clearings', clearingOf(card, id, '10.00'));
    expect(clearing.body).toMatchObject({ status: 'CLEARED', transaction_id: approval.transaction_id });
    expect(await card.available()).toBe(240);
    const copy = await card.authorize('10.00', { external_transaction_id: id });
    expect(copy).toEqual(approval);
    await advanceDays(app, 8, owner.key);
    expect(await card.available()).toBe(240);
  });
});

describe('many holds', () => {
  test('in more than one page are all released, and newer ones stay', async () => {
    const count = 620;
    const cardReference = { cardId: card.id, numberId: undefined };
    await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const money = { amountMinor: 1n, currency: 'EUR', billAmountMinor: 1n };
        const request = { ...someRequest(), ...money, messageId: `many-${index}`, card: cardReference };
        // Not over the network API: the test is about the release of many, not their arrival.
        const submission = { source: 'network', deadline: usualDeadline() } as const;
        return app.submit(owner.program, { ...request, expiry: undefined }, submission);
      }),
    );
    expect(await card.available()).toBe(243.8);
    await advanceDays(app, 4, owner.key);
    await card.hold('1.00');
    await advanceDays(app, 4, owner.key);
    expect(await card.available()).toBe(249);
    const names = await card.eventNames();
    expect(names.filter((name) => name === 'authorization.expired')).toHaveLength(count);
  });

  test('the cursor stores its position and misses no later hold', async () => {
    const services = { db: app.db, submit: app.submit };
    const position = () => findCursor(app.db, owner.program.id, 'hold-expiry');
    await card.hold('10.00');
    await advanceDays(app, 8, owner.key);
    // Transactions that were under way when the clock moved may still commit: there is no position yet.
    expect(await position()).toBeUndefined();
    await setTerms(app, owner, { clock_moved_at: new Date(Date.now() - 86_400_000) });
    await expireHolds(services, owner.program.id);
    const first = await position();
    expect(first).toBeDefined();
    await card.hold('20.00');
    await advanceDays(app, 8, owner.key);
    expect(await card.available()).toBe(250);
    await setTerms(app, owner, { clock_moved_at: new Date(Date.now() - 86_400_000) });
    await expireHolds(services, owner.program.id);
    const second = await position();
    expect((second ?? '') > (first ?? '')).toBe(true);
    await card.hold('30.00');
    await advanceDays(app, 8, owner.key);
    expect(await card.available()).toBe(250);
    expect(await statuses()).toEqual(['VOID', 'VOID', 'VOID']);
  });

  test('that are released during clearings and reversals: each ends in exactly one way', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => card.hold('1.00')));
    await Promise.all([
      advanceDays(app, 8, owner.key),
      ...ids.slice(0, 10).map((id) => card.send('clearings', clearingOf(card, id, '1.00'))),
      ...ids.slice(10, 20).map((id) => card.send('reversals', reversalOf(id))),
    ]);
    const ends = (await statuses()).sort();
    expect(ends).toEqual([...Array(10).fill('CLEARED'), ...Array(20).fill('VOID')]);
    expect(await card.available()).toBe(240);
  });
});
