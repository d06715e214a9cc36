import { afterAll, describe, expect, test } from 'vitest';
import type { Queryable } from '../../../src/db/database.ts';
import { readAccount } from '../../../src/programs/account/read-account.ts';
import {
  expectSoundBooks,
  type Owner,
  ownProgram,
  type PayingCard,
  payingCard,
} from '../../support/cards/network.ts';
import { advanceDays } from '../../support/server/clock.ts';
import { fund } from '../../support/server/fund.ts';
import { twoAppsForTests } from '../../support/server/test-app.ts';
import { EVENTS } from '../../support/webhooks/webhooks.ts';

const ACCOUNT = '/api/v1/merchant/account/';
const ALERT = `${ACCOUNT}alert/`;

/** Two servers on one database, as in production. */
const [app, second] = twoAppsForTests();
afterAll(() => expectSoundBooks(app));

const TERMS = { fx_fee_bps: 250, atm_fee_minor: 300, interchange_bps: 150, transaction_cost_minor: 7 };

async function funded(amountMinor: bigint, terms: Record<string, unknown> = {}, currency = 'EUR') {
  const owner = await ownProgram(app, terms, currency);
  if (amountMinor > 0n) await topUp(owner, amountMinor);
  return owner;
}

const topUp = ({ program }: Owner, amountMinor: bigint) => fund(app, amountMinor, program.id);

const accountOf = async ({ key }: Owner) => (await app.call('GET', ACCOUNT, { key })).body;

async function setAlert({ key }: Owner, alertBelow: number | null) {
  const { status, body } = await app.call('PUT', ALERT, { key, body: { alertBelow } });
  expect([status, body.message]).toEqual([200, undefined]);
  return body;
}

/** What `available` was in each alert that was sent, oldest first. */
const alertsOf = async ({ program }: Owner): Promise<string[]> =>
  (
    await app.sql<{ available: string }>(
      `select data ->> 'available' as available from events
       where program_id = $1 and event_name = 'account.low_balance' order by id`,
      [program.id],
    )
  ).map(({ available }) => available);

describe('the account', () => {
  test('of a new program is empty', async () => {
    const owner = await funded(0n);
    const { status, body } = await app.call('GET', ACCOUNT, { key: owner.key });
    expect([status, body]).toEqual([
      200,
      { currency: 'EUR', balance: 0, held: 0, available: 0, alertBelow: null },
    ]);
  });

  test('after funding, a hold, a clearing and a refund', async () => {
    const owner = await funded(100_000n, TERMS);
    const shown = async () => {
      const { balance, held, available } = await accountOf(owner);
      return [balance, held, available];
    };
    expect(await shown()).toEqual([1_000, 0, 1_000]);
    const card = await payingCard(app, {}, owner);
    expect(await shown()).toEqual([1_000, 0, 1_000]);
    const id = await card.hold('10.00', { channel: 'ATM' });
    expect(await shown()).toEqual([1_000, 13, 987]);
    await card.clear(id, '10.00');
    expect(await shown()).toEqual([987, 0, 987]);
    await card.refund('4.00', { external_transaction_id: id });
    expect(await shown()).toEqual([991, 0, 991]);
    await card.reverse(await card.hold('5.00'));
    expect(await shown()).toEqual([991, 0, 991]);
    // A declined purchase and a card's own credit do not touch it.
    await card.authorize('9999.00');
    await card.adjust(100);
    expect(await shown()).toEqual([991, 0, 991]);
  });

  test('may be below zero', async () => {
    const owner = await funded(0n);
    const card = await payingCard(app, {}, owner);
    await card.hold('10.00');
    expect(await accountOf(owner)).toMatchObject({ balance: 0, held: 10, available: -10 });
    await card.clear(await card.hold('5.00'), '5.00');
    expect(await accountOf(owner)).toMatchObject({ balance: -5, held: 10, available: -15 });
  });

  test.each([
    ['JPY', 1_234_567],
    ['KWD', 1_234.567],
  ])('in %s has its decimals', async (currency, balance) => {
    const owner = await funded(1_234_567n, {}, currency);
    expect(await accountOf(owner)).toMatchObject({ currency, balance, available: balance });
  });
});

test('both balances are of one moment: a purchase meanwhile does not change their sum', async () => {
  const owner = await funded(10_000n);
  const card = await payingCard(app, {}, owner);
  let turn: Promise<unknown> = Promise.resolve();
  /** After each statement, before the next one, a purchase is approved. */
  const query = (...statement: Parameters<Queryable['query']>) => {
    const rows = turn.then(() => app.db.query(...statement));
    turn = rows.then(() => card.hold('1.00'));
    return rows;
  };
  expect(await readAccount({ query } as Queryable, owner.program)).toMatchObject({ balance: 100 });
  await turn;
  expect(await accountOf(owner)).toMatchObject({ balance: 100, held: 1, available: 99 });
});

describe('the alert', () => {
  /** A program of 100.00 with a card that can spend it. */
  const program = async (): Promise<{ owner: Owner; card: PayingCard }> => {
    const owner = await funded(10_000n);
    return { owner, card: await payingCard(app, {}, owner) };
  };

  test('is set, shown and removed', async () => {
    const { owner } = await program();
    const account = { currency: 'EUR', balance: 100, held: 0, available: 100 };
    expect(await setAlert(owner, 50.5)).toEqual({ ...account, alertBelow: 50.5 });
    expect(await accountOf(owner)).toEqual({ ...account, alertBelow: 50.5 });
    expect(await setAlert(owner, null)).toEqual({ ...account, alertBelow: null });
    expect(await accountOf(owner)).toEqual({ ...account, alertBelow: null });
    expect(await alertsOf(owner)).toEqual([]);
  });

  test('is sent once when the available amount falls below it, not when it equals it', async () => {
    const { owner, card } = await program();
    await setAlert(owner, 90);
    await card.hold('10.00');
    expect(await alertsOf(owner)).toEqual([]);
    await card.hold('0.01');
    expect(await alertsOf(owner)).toEqual(['89.99']);
    await card.hold('20.00');
    expect(await alertsOf(owner)).toEqual(['89.99']);
  });

  test('is an event of the type account, without a card, that the merchant can read', async () => {
    const { owner, card } = await program();
    await setAlert(owner, 90);
    await card.hold('10.01');
    const { body } = await app.call('GET', EVENTS, { key: owner.key });
    expect(body.results[0]).toMatchObject({
      eventType: 'account',
      eventName: 'account.low_balance',
      data: { available: '89.99', alert_below: '90.00', currency: 'EUR' },
    });
  });

  test.each<[what: string, raise: (card: PayingCard, id: string) => Promise<unknown>]>([
    ['a reversal', (card, id) => card.reverse(id)],
    ['a refund', (card) => card.refund('20.00', { card_number: card.number })],
    ['funding', ({ owner }) => topUp(owner, 2_000n)],
    ['a hold that expires', ({ owner }) => advanceDays(app, 8, owner.key)],
  ])('is sent again only after the amount has risen above it: %s', async (_what, raise) => {
    const { owner, card } = await program();
    await setAlert(owner, 90);
    const id = await card.hold('20.00');
    expect(await alertsOf(owner)).toEqual(['80.00']);
    await raise(card, id);
    expect(await alertsOf(owner)).toEqual(['80.00']);
    await card.hold('15.00');
    expect(await alertsOf(owner)).toEqual(['80.00', '85.00']);
  });

  test('that has risen to the threshold exactly is not sent again', async () => {
    const { owner, card } = await program();
    await setAlert(owner, 90);
    await card.hold('20.00');
    await topUp(owner, 1_000n);
    expect(await accountOf(owner)).toMatchObject({ available: 90 });
    await card.hold('1.00');
    expect(await alertsOf(owner)).toEqual(['80.00']);
    await topUp(owner, 101n);
    await card.hold('1.00');
    expect(await alertsOf(owner)).toEqual(['80.00', '89.01']);
  });

  test.each([
    ['below when it is set: sent immediately', 100.01, ['100.00']],
    ['exactly at it when it is set: not sent', 100, []],
  ])('%s', async (_what, alertBelow, sent) => {
    const { owner, card } = await program();
    await setAlert(owner, alertBelow);
    expect(await alertsOf(owner)).toEqual(sent);
    await card.hold('1.00');
    expect(await alertsOf(owner)).toEqual(sent.length > 0 ? sent : ['99.00']);
  });

  test('set again to the same threshold sends no second event', async () => {
    const { owner } = await program();
    await setAlert(owner, 200);
    await setAlert(owner, 200);
    expect(await alertsOf(owner)).toEqual(['100.00']);
  });

  test('set again is sent again', async () => {
    const { owner } = await program();
    await setAlert(owner, 200);
    await setAlert(owner, 300);
    expect(await alertsOf(owner)).toEqual(['100.00', '100.00']);
  });

  test('of null is never sent', async () => {
    const { owner, card } = await program();
    await setAlert(owner, 90);
    await setAlert(owner, null);
    await card.hold('50.00');
    expect(await alertsOf(owner)).toEqual([]);
  });

  test('of zero is sent below zero', async () => {
    const { owner, card } = await program();
    await setAlert(owner, 0);
    await card.hold('100.00');
    expect(await alertsOf(owner)).toEqual([]);
    await card.clear(await card.hold('0.01'), '0.01');
    expect(await alertsOf(owner)).toEqual(['-0.01']);
  });

  test('is sent once, however many purchases on however many servers arrive together', async () => {
    const { owner } = await program();
    const cards = await Promise.all(Array.from({ length: 10 }, () => payingCard(app, {}, owner)));
    await setAlert(owner, 100);
    for (let round = 1; round <= 5; round++) {
      await Promise.all(
        cards.map((card, place) =>
          card.with({ app: place % 2 ? app : second }).authorize('1.00', { channel: 'POS' }),
        ),
      );
      expect(await alertsOf(owner)).toHaveLength(round);
      await topUp(owner, 1_001n);
    }
  });

  test.each<[body: unknown, message: string]>([
    [{ alertBelow: 1.001 }, 'alertBelow: must have at most 2 decimals in EUR'],
    [{ alertBelow: -0.01 }, 'alertBelow: must be 0 or more and within the largest supported amount'],
    [{ alertBelow: 1e13 }, 'alertBelow: must be 0 or more and within the largest supported amount'],
    [{ alertBelow: '5' }, 'alertBelow: '],
    [{ alertBelow: true }, 'alertBelow: '],
    [{}, 'alertBelow: '],
    [[], 'body: '],
  ])('%j: 400, and nothing changes', async (body, message) => {
    const { owner } = await program();
    await setAlert(owner, 50);
    const answer = await app.call('PUT', ALERT, { key: owner.key, body });
    expect([answer.status, answer.body]).toEqual([
      400,
      { code: 400, message: expect.stringMatching(`^${message}`), status: 'failed' },
    ]);
    expect(await accountOf(owner)).toMatchObject({ alertBelow: 50 });
  });
});

describe('permissions', () => {
  test('each key sees and changes its own program only', async () => {
    const [owner, other] = [await funded(10_000n), await funded(20_000n)];
    await setAlert(owner, 1);
    expect(await accountOf(other)).toMatchObject({ balance: 200, alertBelow: null });
    expect(await accountOf(owner)).toMatchObject({ balance: 100, alertBelow: 1 });
  });

  test('a change is audited with both values', async () => {
    const owner = await funded(10_000n);
    await setAlert(owner, 5);
    await setAlert(owner, null);
    const audits = await app.sql(
      `select before, after from audit_entries where program_id = $1 and action = 'account.alert_changed' order by id`,
      [owner.program.id],
    );
    expect(audits).toMatchObject([
      { before: { alertBelow: null }, after: { alertBelow: 5 } },
      { before: { alertBelow: 5 }, after: { alertBelow: null } },
    ]);
  });
});
