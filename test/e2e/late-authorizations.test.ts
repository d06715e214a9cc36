import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expireHolds } from '../../src/authorizations/engine/expire-holds.ts';
import { act } from '../support/card-states.ts';
import { advanceDays, setClock } from '../support/clock.ts';
import {
  abroad,
  authorizationOf,
  authorize,
  availableOf,
  balancesOf,
  clearingOf,
  eventNames,
  eventsOf,
  expectSoundBooks,
  newMessageId,
  type Owner,
  ownProgram,
  type PayingCard,
  payingCard,
  reversalOf,
  send,
  setControls,
  setTerms,
  transactionsOf,
} from '../support/network.ts';
import { type Answer, startTestApp, type TestApp } from '../support/test-app.ts';

/** An authorization that comes after a clearing of its purchase: what the clearing did not settle is decided now. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

/** A purchase of which nothing but clearings came; `final` of each is false unless it is told. */
async function clearedFirst(card: PayingCard, amount: string, changes: object = {}): Promise<string> {
  const id = newMessageId('early');
  await clear(card, id, amount, changes);
  return id;
}

async function clear(card: PayingCard, id: string, amount: string, changes: object = {}): Promise<string> {
  const request = { ...clearingOf(card, id, amount), card_number: card.number, final: false, ...changes };
  const { status, body } = await send(app, 'clearings', request, card.owner);
  expect([status, body.message]).toEqual([200, undefined]);
  return `${body.status} ${body.bill_amount}`;
}

async function reverse({ owner }: PayingCard, id: string, changes: object = {}): Promise<string> {
  const { body } = await send(app, 'reversals', reversalOf(id, { ...changes }), owner);
  return `${body.status} ${body.bill_amount}`;
}

const late = (card: PayingCard, id: string, amount: string, changes: object = {}): Promise<Answer['body']> =>
  authorize(app, card, amount, { external_transaction_id: id, ...changes });

/** `status amount currency bill_amount` of the card's newest purchase, and what the card has left. */
async function shown(card: PayingCard): Promise<[string, number]> {
  const [{ status, amount, currency, bill_amount }] = await transactionsOf(app, card);
  return [`${status} ${amount} ${currency} ${bill_amount}`, await availableOf(app, card)];
}

describe('after a clearing that was not the last', () => {
  test('holds the rest, tells what was asked for, and is one purchase with the clearing', async () => {
    const card = await payingCard(app, {}, await ownProgram(app));
    const id = await clearedFirst(card, '4.00');
    const [{ id: transaction_id }] = await transactionsOf(app, card);
    const answer = await late(card, id, '10.00');
    expect(answer).toEqual({
      transaction_id,
      external_transaction_id: id,
      approved: true,
      status: 'PENDING',
      decline_code: null,
      decline_reason: null,
      network_code: '00',
      approval_code: expect.stringMatching(/^\d{6}$/),
      bill_amount: '10.00',
      bill_currency: 'EUR',
    });
    expect(await shown(card)).toEqual(['PENDING 10.00 EUR 10', 240]);
    expect(await transactionsOf(app, card)).toHaveLength(1);
    expect(await balancesOf(app, card.owner)).toEqual({
      master: -1_000n,
      holds: 600n,
      settlement: 400n,
      credit: -24_000n,
    });
    expect((await eventsOf(app, card)).at(-1)).toMatchObject({
      name: 'authorization',
      sequence: 3,
      data: { transaction_id, message_id: id, status: 'PENDING', bill_amount: '10.00' },
    });
    // And again: the first answer, and nothing more is held.
    const copy = authorizationOf(card, '10.00', { external_transaction_id: id });
    expect((await send(app, 'authorizations', copy, card.owner)).body).toEqual(answer);
    expect(await availableOf(app, card)).toBe(240);
  });

  test('after several of them: the rest of all', async () => {
    const card = await payingCard(app);
    const id = await clearedFirst(card, '4.00');
    expect(await clear(card, id, '1.50')).toBe('CLEARED 1.50');
    expect(await late(card, id, '10.00')).toMatchObject({ approved: true, status: 'PENDING' });
    expect(await shown(card)).toEqual(['PENDING 10.00 EUR 10', 240]);
  });

  test.each([
    ['just that', '4.00'],
    ['less', '3.00'],
    ['nothing: a check of the account', '0.00'],
  ])('asked for %s: nothing is held', async (_name, amount) => {
    const card = await payingCard(app);
    const id = await clearedFirst(card, '4.00');
    expect(await late(card, id, amount)).toMatchObject({ approved: true, status: 'CLEARED' });
    expect(await shown(card)).toEqual(['CLEARED 4.00 EUR 4', 246]);
  });

  test('of nothing: all is held', async () => {
    const card = await payingCard(app);
    const id = await clearedFirst(card, '0.00');
    expect(await late(card, id, '10.00')).toMatchObject({ approved: true, status: 'PENDING' });
    expect(await shown(card)).toEqual(['PENDING 10.00 EUR 10', 240]);
  });

  test('the funds are asked for the rest alone', async () => {
    const card = await payingCard(app, { spendLimit: 10 });
    expect(await late(card, await clearedFirst(card, '4.00'), '10.00')).toMatchObject({ approved: true });
    expect(await shown(card)).toEqual(['PENDING 10.00 EUR 10', 0]);
  });

  test('short of the rest by a cent: declined, and what cleared stays spent', async () => {
    const card = await payingCard(app, { spendLimit: 10 });
    const id = await clearedFirst(card, '4.00');
    expect(await late(card, id, '10.01')).toMatchObject({
      approved: false,
      status: 'DECLINED',
      decline_code: '51',
      decline_reason: 'insufficient_funds',
      network_code: '51',
      bill_amount: '10.01',
    });
    expect(await shown(card)).toEqual(['CLEARED 4.00 EUR 4', 6]);
    expect(await eventNames(app, card)).toEqual(['authorization.clearing', 'authorization.declined']);
    // Declined, it holds nothing that a reversal could give back or uncount.
    expect(await reverse(card, id)).toBe('CLEARED 0.00');
    expect(await eventNames(app, card)).toHaveLength(2);
    expect(await clear(card, id, '6.01')).toBe('CLEARED 6.01');
    expect(await shown(card)).toEqual(['CLEARED 10.01 EUR 10.01', -0.01]);
  });

  test('a master account that is short of the rest: declined', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const id = await clearedFirst(card, '4.00');
    await setTerms(app, owner, { enforce_master_balance: true });
    expect(await late(card, id, '10.00')).toMatchObject({ decline_code: 'R10' });
    expect(await shown(card)).toEqual(['CLEARED 4.00 EUR 4', 246]);
  });

  test('a card that cannot pay any more: declined', async () => {
    const card = await payingCard(app);
    const id = await clearedFirst(card, '4.00');
    await act(app, card.id, 'freeze');
    expect(await late(card, id, '10.00')).toMatchObject({ decline_code: 'R1' });
    expect(await shown(card)).toEqual(['CLEARED 4.00 EUR 4', 246]);
  });

  test('a reversal gives the rest back, in parts and above it', async () => {
    const card = await payingCard(app);
    const id = await clearedFirst(card, '4.00');
    await late(card, id, '10.00');
    expect(await reverse(card, id, { bill_amount: '2.50' })).toBe('PENDING 2.50');
    expect(await availableOf(app, card)).toBe(242.5);
    expect(await reverse(card, id, { bill_amount: '10.00' })).toBe('CLEARED 3.50');
    expect(await shown(card)).toEqual(['CLEARED 4.00 EUR 4', 246]);
    expect(await reverse(card, id)).toBe('CLEARED 0.00');
  });

  test('the next clearing spends the rest, and the last lets go of what is left', async () => {
    const card = await payingCard(app);
    const id = await clearedFirst(card, '4.00');
    await late(card, id, '10.00');
    expect(await clear(card, id, '5.00')).toBe('PENDING 5.00');
    expect(await availableOf(app, card)).toBe(240);
    expect(await clear(card, id, '0.50', { final: true })).toBe('CLEARED 0.50');
    expect(await shown(card)).toEqual(['CLEARED 9.50 EUR 9.5', 240.5]);
  });
});

describe('after the last clearing', () => {
  test.each(['4.00', '0.00'])('of %s: approved, and holds nothing', async (amount) => {
    const card = await payingCard(app, {}, await ownProgram(app));
    const id = await clearedFirst(card, amount, { final: true });
    const status = amount === '0.00' ? 'VOID' : 'CLEARED';
    expect(await late(card, id, '10.00')).toMatchObject({ approved: true, status, bill_amount: '10.00' });
    expect(await availableOf(app, card)).toBe(250 - Number(amount));
    expect(await balancesOf(app, card.owner)).not.toHaveProperty('holds');
    expect(await reverse(card, id)).toBe(`${status} 0.00`);
    expect(await availableOf(app, card)).toBe(250 - Number(amount));
  });

  test('also when it was followed by one that was not', async () => {
    const card = await payingCard(app);
    const id = await clearedFirst(card, '4.00', { final: true });
    await clear(card, id, '1.00');
    expect(await late(card, id, '10.00')).toMatchObject({ approved: true, status: 'CLEARED' });
    expect(await shown(card)).toEqual(['CLEARED 5.00 EUR 5', 245]);
  });

  test('a card with no money left is no reason to decline', async () => {
    const card = await payingCard(app, { spendLimit: 4 });
    const id = await clearedFirst(card, '9.00', { final: true });
    expect(await late(card, id, '10.00')).toMatchObject({ approved: true, status: 'CLEARED' });
    expect(await availableOf(app, card)).toBe(-5);
  });
});

describe('in the limits', () => {
  test('what was asked for counts, not the rest', async () => {
    const card = await payingCard(app);
    await setControls(app, card, { allTimeLimit: 15 });
    const id = await clearedFirst(card, '4.00');
    expect(await authorize(app, card, '0.00')).toMatchObject({ approved: true });
    await late(card, id, '10.00');
    expect(await authorize(app, card, '5.01')).toMatchObject({ decline_code: 'R13' });
    // The rest is given back and no longer counts; what cleared does.
    await reverse(card, id);
    expect(await authorize(app, card, '11.01')).toMatchObject({ decline_code: 'R13' });
    expect(await authorize(app, card, '11.00')).toMatchObject({ approved: true });
  });

  test.each([
    ['transactionLimit', 'R7'],
    ['dailyLimit', 'R6'],
    ['monthlyLimit', 'R13'],
    ['allTimeLimit', 'R13'],
  ])('and is held against each: %s', async (limit, decline_code) => {
    const card = await payingCard(app);
    await setControls(app, card, { [limit]: 9.99 });
    const id = await clearedFirst(card, '4.00');
    expect(await late(card, id, '10.00')).toMatchObject({ approved: false, decline_code });
    expect(await shown(card)).toEqual(['CLEARED 4.00 EUR 4', 246]);
    // What was declined takes nothing of the limit.
    expect(await authorize(app, card, '9.99')).toMatchObject({ approved: true });
  });

  test('it counts on the day it came, and its reversal gives that day back', async () => {
    const owner = await ownProgram(app);
    await setClock(app, '2095-01-10T12:00:00Z', owner.key);
    const card = await payingCard(app, {}, owner);
    await setControls(app, card, { dailyLimit: 10 });
    const id = await clearedFirst(card, '4.00');
    await advanceDays(app, 1, owner.key);
    await late(card, id, '10.00');
    expect(await authorize(app, card, '0.01')).toMatchObject({ decline_code: 'R6' });
    await reverse(card, id);
    expect(await authorize(app, card, '6.01')).toMatchObject({ decline_code: 'R6' });
    expect(await authorize(app, card, '6.00')).toMatchObject({ approved: true });
  });
});

describe('fees', () => {
  const TERMS = { fx_fee_bps: 250, atm_fee_minor: 300 };
  const CASH = { channel: 'ATM' };
  let owner: Owner;
  beforeAll(async () => {
    owner = await ownProgram(app, TERMS);
  });
  const revenueOf = async (of: Owner = owner) => {
    const { fxRevenue = 0n, atmRevenue = 0n, holds = 0n } = await balancesOf(app, of);
    return { fxRevenue, atmRevenue, holds };
  };

  test.each([
    ['not the last', false, '10.00', 'PENDING', 237],
    ['the last', true, '10.00', 'CLEARED', 243],
    ['all of it', false, '4.00', 'CLEARED', 243],
  ])(
    'cash that cleared unannounced pays its fee now: %s',
    async (_name, final, amount, status, available) => {
      const card = await payingCard(app, {}, owner);
      const before = await revenueOf();
      const id = await clearedFirst(card, '4.00', { final });
      expect(await revenueOf()).toEqual(before);
      expect(await late(card, id, amount, CASH)).toMatchObject({ approved: true, status });
      expect(await availableOf(app, card)).toBe(available);
      const after = await revenueOf();
      expect(after.atmRevenue - before.atmRevenue).toBe(300n);
      expect(after.holds - before.holds).toBe(status === 'PENDING' ? 600n : 0n);
      // Once: neither the next clearing nor the end of the hold asks for it or gives it back.
      await clear(card, id, '1.00');
      await reverse(card, id);
      expect(await revenueOf()).toEqual({ ...before, atmRevenue: before.atmRevenue + 300n });
      expect(await availableOf(app, card)).toBe(242);
    },
  );

  test('after a clearing of nothing the fee is held with the rest', async () => {
    const card = await payingCard(app, {}, owner);
    const { atmRevenue } = await revenueOf();
    const id = await clearedFirst(card, '0.00');
    await late(card, id, '10.00', CASH);
    expect([await availableOf(app, card), (await revenueOf()).atmRevenue]).toEqual([237, atmRevenue]);
    await reverse(card, id);
    expect(await availableOf(app, card)).toBe(250);
  });

  test.each([
    ['the last', true, '4.00', 2.99],
    ['not the last', false, '10.00', 8.99],
  ])('a card that cannot pay the fee is declined: %s', async (_name, final, amount, left) => {
    const card = await payingCard(app, { spendLimit: 4 + left }, owner);
    const before = await revenueOf();
    const id = await clearedFirst(card, '4.00', { final });
    expect(await late(card, id, amount, CASH)).toMatchObject({ approved: false, decline_code: '51' });
    expect([await availableOf(app, card), await revenueOf()]).toEqual([left, before]);
  });

  test('abroad: the fee of the rest is held, that of what cleared was charged', async () => {
    const card = await payingCard(app, {}, owner);
    const before = await revenueOf();
    // 2.5 % of 4.00 is 10 cents, of 6.00 it is 15.
    const id = await clearedFirst(card, '', abroad('4.40', 'USD', '4.00'));
    await late(card, id, '11.00', abroad('11.00', 'USD', '10.00'));
    expect(await shown(card)).toEqual(['PENDING 11.00 USD 10', 239.75]);
    const after = await revenueOf();
    expect([after.fxRevenue - before.fxRevenue, after.holds - before.holds]).toEqual([10n, 615n]);
    await reverse(card, id);
    expect(await shown(card)).toEqual(['CLEARED 4.40 USD 4', 245.9]);
  });
});

describe('after a reversal and a clearing', () => {
  test.each([true, false])('is declined, and the money stays spent (final: %s)', async (final) => {
    const card = await payingCard(app);
    await setControls(app, card, { allTimeLimit: 10 });
    const id = newMessageId('early');
    expect(await reverse(card, id)).toBe('VOID 0.00');
    expect(await clear(card, id, '4.00', { final })).toBe('CLEARED 4.00');
    const answer = await late(card, id, '10.00');
    expect(answer).toMatchObject({
      approved: false,
      status: 'DECLINED',
      decline_code: '12',
      decline_reason: 'already_reversed',
      network_code: '12',
      approval_code: null,
    });
    expect(await shown(card)).toEqual(['CLEARED 4.00 EUR 4', 246]);
    expect(await transactionsOf(app, card)).toMatchObject([{ id: answer.transaction_id }]);
    // Declined, it does not count.
    expect(await authorize(app, card, '10.00')).toMatchObject({ approved: true });
  });

  test('also when more cleared in between; every other reason comes first', async () => {
    const card = await payingCard(app, { spendLimit: 10 });
    const id = newMessageId('early');
    await reverse(card, id);
    await clear(card, id, '4.00');
    await clear(card, id, '1.00');
    const copy = await late(card, id, '10.00');
    expect(copy).toMatchObject({ decline_code: '12' });
    expect(await late(card, id, '10.00')).toEqual(copy);
    const short = newMessageId('early');
    await reverse(card, short);
    await clear(card, short, '1.00');
    expect(await late(card, short, '6.00')).toMatchObject({ decline_code: '51' });
    expect(await availableOf(app, card)).toBe(4);
  });
});

describe('a hold that was made late', () => {
  let owner: Owner;
  let card: PayingCard;
  const held = async (): Promise<bigint> => (await balancesOf(app, owner))['holds'] ?? 0n;
  /** As the worker does it, when the clock has long been still. */
  const walk = async () => {
    await setTerms(app, owner, { clock_moved_at: new Date(Date.now() - 86_400_000) });
    await expireHolds(app, owner.program.id);
  };
  beforeEach(async () => {
    owner = await ownProgram(app);
    await setClock(app, '2095-01-10T12:00:00Z', owner.key);
    card = await payingCard(app, {}, owner);
  });

  test('is released in its time, and still counts until it is reversed', async () => {
    await setControls(app, card, { allTimeLimit: 10 });
    const id = await clearedFirst(card, '4.00');
    await advanceDays(app, 1, owner.key);
    await late(card, id, '10.00');
    expect(await held()).toBe(600n);
    await advanceDays(app, 8, owner.key);
    await walk();
    expect([await held(), ...(await shown(card))]).toEqual([0n, 'CLEARED 4.00 EUR 4', 246]);
    expect(await authorize(app, card, '0.01')).toMatchObject({ decline_code: 'R13' });
    expect(await reverse(card, id)).toBe('CLEARED 0.00');
    expect(await authorize(app, card, '6.01')).toMatchObject({ decline_code: 'R13' });
    const next = await authorize(app, card, '6.00');
    expect(next).toMatchObject({ approved: true });
    await reverse(card, next.external_transaction_id);
  });

  test('is not held for good when the release of holds has passed its purchase', async () => {
    const id = await clearedFirst(card, '4.00');
    await advanceDays(app, 8, owner.key);
    await walk();
    expect(await late(card, id, '10.00')).toMatchObject({ approved: true });
    await advanceDays(app, 8, owner.key);
    await walk();
    expect([await held(), await availableOf(app, card)]).toEqual([0n, 246]);
  });
});

test('clearings and authorizations at once, in any order: one end', async () => {
  const card = await payingCard(app);
  const ids = Array.from({ length: 10 }, () => newMessageId('race'));
  await Promise.all(ids.flatMap((id) => [clear(card, id, '1.00'), late(card, id, '3.00')]));
  const purchases = await transactionsOf(app, card);
  expect(purchases.map(({ status, bill_amount }) => `${status} ${bill_amount}`)).toEqual(
    Array(10).fill('PENDING 3'),
  );
  expect(await availableOf(app, card)).toBe(220);
});
