import { describe, expect, test } from 'vitest';
import { act } from '../../support/cards/card-states.ts';
import {
  abroad,
  accepted,
  adjust,
  authorize,
  availableOf,
  balancesOf,
  clearingOf,
  eventNames,
  eventsOf,
  fund,
  hold,
  incrementOf,
  networkApp,
  newMessageId,
  ownProgram,
  type PayingCard,
  payingCard,
  refundOf,
  reversalOf,
  STORED_MERCHANT,
  send,
  setControls,
  setTerms,
  transactionsOf,
} from '../../support/cards/network.ts';
import { setClock } from '../../support/server/clock.ts';
import type { Answer } from '../../support/server/test-app.ts';

const app = networkApp();

/** Sends an increment and returns the answer's body; an increment is answered with 200 also if it is declined. */
const increment = (
  card: PayingCard,
  id: string,
  amount: string,
  changes: Record<string, unknown> = {},
): Promise<Answer['body']> => accepted(app, 'increments', incrementOf(card, id, amount, changes), card.owner);

/** What a reversal of the whole hold releases: all that is held. */
async function heldBy(card: PayingCard, id: string): Promise<string> {
  const { body } = await send(app, 'reversals', reversalOf(id), card.owner);
  return body.bill_amount;
}

describe('an approved increment', () => {
  test('raises the hold: response, credit, ledger, list and event', async () => {
    const card = await payingCard(app, {}, await ownProgram(app));
    const approval = await authorize(app, card, '100.00');
    const id = approval.external_transaction_id;
    const request = incrementOf(card, id, '20.00');
    const { status, body } = await send(app, 'increments', request, card.owner);
    expect([status, body]).toEqual([
      200,
      {
        increment_id: request.increment_id,
        transaction_id: approval.transaction_id,
        external_transaction_id: id,
        approved: true,
        status: 'PENDING',
        decline_code: null,
        decline_reason: null,
        network_code: '00',
        approval_code: approval.approval_code,
        bill_amount: '20.00',
        bill_currency: 'EUR',
      },
    ]);
    expect(await availableOf(app, card)).toBe(130);
    expect(await balancesOf(app, card.owner)).toEqual({
      master: -12_000n,
      holds: 12_000n,
      credit: -13_000n,
    });
    expect(await transactionsOf(app, card)).toMatchObject([
      { id: approval.transaction_id, status: 'PENDING', amount: '120.00', bill_amount: 120 },
    ]);
    expect((await eventsOf(app, card)).at(-1)).toMatchObject({
      name: 'authorization.increment',
      sequence: 3,
      data: {
        transaction_id: approval.transaction_id,
        external_transaction_id: id,
        message_id: request.increment_id,
        status: 'PENDING',
        amount: '20.00',
        bill_amount: '20.00',
        approval_code: approval.approval_code,
        merchant: STORED_MERCHANT,
        decision: { source: 'emboss', outcome: 'approved' },
      },
    });
    const cleared = await send(app, 'clearings', clearingOf(card, id, '120.00'), card.owner);
    expect(cleared.body.status).toBe('CLEARED');
    expect(await availableOf(app, card)).toBe(130);
  });

  test('several add up, and a reversal releases all of them', async () => {
    const card = await payingCard(app);
    const id = await hold(app, card, '10.00');
    for (const amount of ['1.00', '2.00', '3.00']) await increment(card, id, amount);
    expect(await availableOf(app, card)).toBe(234);
    expect(await heldBy(card, id)).toBe('16.00');
    expect(await availableOf(app, card)).toBe(250);
  });

  test('holds the FX fee on the whole amount, and the ATM fee once', async () => {
    const owner = await ownProgram(app, { fx_fee_bps: 250, atm_fee_minor: 300 });
    const card = await payingCard(app, {}, owner);
    // 2.5 % of 0.20 is half a cent, which rounds to nothing; of 0.40 it is a cent.
    const id = await hold(app, card, '', { channel: 'ATM', ...abroad('0.22', 'USD', '0.20') });
    expect(await availableOf(app, card)).toBe(246.8);
    await increment(card, id, '', abroad('0.22', 'USD', '0.20'));
    expect(await availableOf(app, card)).toBe(246.59);
    const [{ data } = { data: {} }] = (await eventsOf(app, card)).slice(-1);
    expect(data).toMatchObject({ fx_fee: '0.01', atm_fee: '0.00' });
  });

  test('of the last cent; one cent more is declined', async () => {
    const card = await payingCard(app, { spendLimit: 100 });
    const id = await hold(app, card, '60.00');
    expect(await increment(card, id, '40.01')).toMatchObject({ approved: false, decline_code: '51' });
    expect(await increment(card, id, '40.00')).toMatchObject({ approved: true });
    expect(await availableOf(app, card)).toBe(0);
  });

  test.each([
    ['transactionLimit', 'R7'],
    ['dailyLimit', 'R6'],
    ['monthlyLimit', 'R13'],
    ['allTimeLimit', 'R13'],
  ])('counts in the %s with the rest of the purchase', async (limit, decline_code) => {
    const card = await payingCard(app);
    await setControls(app, card, { [limit]: 100 });
    const id = await hold(app, card, '60.00');
    expect(await increment(card, id, '40.01')).toMatchObject({ approved: false, decline_code });
    expect(await increment(card, id, '40.00')).toMatchObject({ approved: true });
    expect(await increment(card, id, '0.01')).toMatchObject({ approved: false, decline_code });
  });

  test('counts what has cleared in the transaction limit', async () => {
    const card = await payingCard(app);
    await setControls(app, card, { transactionLimit: 100 });
    const id = await hold(app, card, '60.00');
    await send(app, 'clearings', clearingOf(card, id, '50.00', { final: false }));
    expect(await increment(card, id, '40.01')).toMatchObject({ approved: false, decline_code: 'R7' });
    expect(await increment(card, id, '40.00')).toMatchObject({ approved: true });
  });

  test('counts on its own day in the daily limit', async () => {
    const owner = await ownProgram(app);
    await setClock(app, '2095-01-10T12:00:00Z', owner.key);
    const card = await payingCard(app, {}, owner);
    await setControls(app, card, { dailyLimit: 100 });
    const id = await hold(app, card, '90.00');
    await setClock(app, '2095-01-11T12:00:00Z', owner.key);
    expect(await increment(card, id, '60.00')).toMatchObject({ approved: true });
    expect(await authorize(app, card, '40.01')).toMatchObject({ decline_code: 'R6' });
    expect(await authorize(app, card, '40.00')).toMatchObject({ approved: true });
  });
});

describe('a declined increment leaves the hold as it was', () => {
  type Prepare = (card: PayingCard) => Promise<unknown>;
  const TABLE: Array<[what: string, code: string, reason: string, networkCode: string, Prepare, string?]> = [
    ['no funds', '51', 'insufficient_funds', '51', async () => {}, '190.01'],
    ['transaction limit', 'R7', 'transaction_limit', '61', (c) => limit(c, { transactionLimit: 84.99 })],
    ['daily limit', 'R6', 'daily_limit', '61', (c) => limit(c, { dailyLimit: 84.99 })],
    ['monthly limit', 'R13', 'card_limit', '61', (c) => limit(c, { monthlyLimit: 84.99 })],
    ['all-time limit', 'R13', 'card_limit', '61', (c) => limit(c, { allTimeLimit: 84.99 })],
    [
      'merchant category',
      'R19',
      'merchant_category_not_allowed',
      '57',
      (c) => limit(c, { blockedMccs: ['5814'] }),
    ],
    ['frozen card', 'R1', 'card_frozen', '62', (c) => act(app, c.id, 'freeze', c.owner.key)],
    ['blocked card', 'R8', 'card_blocked', '41', (c) => act(app, c.id, 'block: lost', c.owner.key)],
    [
      'master account',
      'R10',
      'program_balance',
      '51',
      async ({ owner }) => {
        await setTerms(app, owner, { enforce_master_balance: true });
        await fund(app, owner, 8_499n);
      },
    ],
  ];
  const limit = (card: PayingCard, body: object) => setControls(app, card, body);

  test.each(TABLE)(
    '%s: %s %s',
    async (_what, decline_code, reason, network_code, prepare, amount = '25.00') => {
      const card = await payingCard(app, {}, await ownProgram(app));
      const approval = await authorize(app, card, '60.00');
      const id = approval.external_transaction_id;
      await prepare(card);
      const [money, books] = [await availableOf(app, card), await balancesOf(app, card.owner)];
      const request = incrementOf(card, id, amount);
      const { status, body } = await send(app, 'increments', request, card.owner);
      const codes = { decline_code, decline_reason: reason, network_code };
      expect([status, body]).toEqual([
        200,
        {
          increment_id: request.increment_id,
          transaction_id: approval.transaction_id,
          external_transaction_id: id,
          approved: false,
          status: 'DECLINED',
          ...codes,
          approval_code: null,
          bill_amount: amount,
          bill_currency: 'EUR',
        },
      ]);
      expect([await availableOf(app, card), await balancesOf(app, card.owner)]).toEqual([money, books]);
      expect(await transactionsOf(app, card)).toMatchObject([
        { status: 'PENDING', amount: '60.00', bill_amount: 60 },
      ]);
      const event = (await eventsOf(app, card)).findLast(({ name }) => !name.startsWith('card.'));
      expect(event).toMatchObject({
        name: 'authorization.declined',
        data: {
          message_id: request.increment_id,
          status: 'PENDING',
          bill_amount: amount,
          ...codes,
          approval_code: null,
          decision: { source: 'emboss', outcome: 'declined' },
        },
      });
      expect(event?.data).toHaveProperty('limits');
      expect(await heldBy(card, id)).toBe('60.00');
    },
  );

  const CLOSED: Array<[what: string, close: (card: PayingCard, id: string) => Promise<unknown>, string]> = [
    ['reversed', (card, id) => send(app, 'reversals', reversalOf(id), card.owner), 'VOID'],
    [
      'finally cleared',
      (card, id) => send(app, 'clearings', clearingOf(card, id, '10.00'), card.owner),
      'CLEARED',
    ],
    ['expired', ({ owner }) => setClock(app, '2095-01-18T12:00:00Z', owner.key), 'VOID'],
  ];
  test.each(CLOSED)('a hold that was %s stays closed', async (_what, close, status) => {
    const owner = await ownProgram(app);
    await setClock(app, '2095-01-10T12:00:00Z', owner.key);
    const card = await payingCard(app, {}, owner);
    const id = await hold(app, card, '60.00');
    await close(card, id);
    const money = await availableOf(app, card);
    expect(await increment(card, id, '5.00')).toMatchObject({
      approved: false,
      decline_code: '12',
      decline_reason: 'hold_closed',
      network_code: '12',
      approval_code: null,
    });
    expect([await availableOf(app, card), (await balancesOf(app, owner))['holds']]).toEqual([
      money,
      undefined,
    ]);
    expect(await transactionsOf(app, card)).toMatchObject([{ status }]);
  });

  test('a declined purchase has no hold to raise', async () => {
    const card = await payingCard(app, { spendLimit: 10 });
    const { external_transaction_id } = await authorize(app, card, '10.01');
    expect(await increment(card, external_transaction_id, '1.00')).toMatchObject({
      decline_reason: 'hold_closed',
    });
    expect(await transactionsOf(app, card)).toMatchObject([{ status: 'DECLINED' }]);
  });

  test('a clearing that is not final leaves the rest open for increments', async () => {
    const card = await payingCard(app);
    const id = await hold(app, card, '60.00');
    await send(app, 'clearings', clearingOf(card, id, '10.00', { final: false }));
    expect(await increment(card, id, '5.00')).toMatchObject({ approved: true });
    expect(await heldBy(card, id)).toBe('55.00');
    expect(await availableOf(app, card)).toBe(240);
  });
});

describe('a repeated increment', () => {
  test('gets the first response and moves nothing, whatever happened since', async () => {
    const card = await payingCard(app);
    const id = await hold(app, card, '10.00');
    const request = incrementOf(card, id, '5.00');
    const first = await send(app, 'increments', request);
    await act(app, card.id, 'freeze');
    const again = await send(app, 'increments', request);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await availableOf(app, card)).toBe(235);
  });

  test('a repeated decline gets the first response', async () => {
    const card = await payingCard(app, { spendLimit: 10 });
    const request = incrementOf(card, await hold(app, card, '10.00'), '5.00');
    const first = await send(app, 'increments', request);
    await adjust(app, card, 100);
    expect((await send(app, 'increments', request)).body).toEqual(first.body);
    expect(await eventNames(app, card)).toEqual(['authorization', 'authorization.declined']);
  });

  test('twenty concurrent copies: one effect, one response', async () => {
    const card = await payingCard(app);
    const request = incrementOf(card, await hold(app, card, '10.00'), '5.00');
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(app, 'increments', request)));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect([answers[0]?.status, await availableOf(app, card)]).toEqual([200, 235]);
  });

  test('twenty concurrent increments take no more than the card has', async () => {
    const card = await payingCard(app, { spendLimit: 20 });
    const id = await hold(app, card, '10.00');
    const answers = await Promise.all(Array.from({ length: 20 }, () => increment(card, id, '1.00')));
    expect(answers.filter(({ approved }) => approved)).toHaveLength(10);
    expect(await availableOf(app, card)).toBe(0);
  });

  test.each<[string, Record<string, unknown>]>([
    ['amount', { amount: '5.51' }],
    ['bill_amount', { bill_amount: '5.01' }],
    ['external_transaction_id', { external_transaction_id: 'net-other' }],
  ])('with a different %s: 409', async (_field, changes) => {
    const card = await payingCard(app);
    const id = await hold(app, card, '', abroad('11.00', 'USD', '10.00'));
    const request = incrementOf(card, id, '', abroad('5.50', 'USD', '5.00'));
    await send(app, 'increments', request);
    const { status, body } = await send(app, 'increments', { ...request, ...changes });
    expect([status, body]).toEqual([
      409,
      { code: 409, message: 'increment_id: was already used with a different request', status: 'failed' },
    ]);
    expect(await availableOf(app, card)).toBe(235);
  });
});

describe('an increment that names no open purchase of the program', () => {
  test.each<[what: string, changes: object, message: string]>([
    [
      'an unknown purchase',
      { external_transaction_id: 'net-unheard' },
      'external_transaction_id: is not a purchase in this program',
    ],
    [
      'another currency',
      abroad('5.50', 'USD', '5.00'),
      'currency: must be the currency of the purchase, EUR',
    ],
    ['zero', { amount: '0.00' }, 'bill_amount: must be greater than 0'],
    [
      'a bill amount that differs',
      { bill_amount: '5.01' },
      "bill_amount: must equal amount in the card's currency, EUR",
    ],
  ])('%s: 400, nothing changes, and its id stays free', async (_what, changes, message) => {
    const card = await payingCard(app);
    const request = incrementOf(card, await hold(app, card, '10.00'), '5.00');
    const { status, body } = await send(app, 'increments', { ...request, ...changes });
    expect([status, body]).toEqual([400, { code: 400, message, status: 'failed' }]);
    expect(await availableOf(app, card)).toBe(240);
    expect((await send(app, 'increments', request)).body).toMatchObject({ approved: true });
  });

  test("another program's purchase is unknown", async () => {
    const card = await payingCard(app);
    const request = incrementOf(card, await hold(app, card, '10.00'), '5.00');
    const { status, body } = await send(app, 'increments', request, await ownProgram(app));
    expect([status, body.message]).toEqual([
      400,
      'external_transaction_id: is not a purchase in this program',
    ]);
    expect(await availableOf(app, card)).toBe(240);
  });

  test('a purchase of which only a reversal is known: 400', async () => {
    const card = await payingCard(app);
    const id = newMessageId('early');
    await send(app, 'reversals', reversalOf(id));
    const { status, body } = await send(app, 'increments', incrementOf(card, id, '5.00'));
    expect([status, body.message]).toEqual([
      400,
      'external_transaction_id: is not a purchase in this program',
    ]);
  });

  test('the id of a refund: 409', async () => {
    const card = await payingCard(app);
    const refund = refundOf(card, '5.00', { card_number: card.number });
    await send(app, 'refunds', refund);
    const { status, body } = await send(app, 'increments', incrementOf(card, refund.refund_id, '5.00'));
    expect([status, body.message]).toEqual([409, 'external_transaction_id: is the id of a refund']);
  });
});
