import { describe, expect, test } from 'vitest';
import { act } from '../../support/cards/card-states.ts';
import {
  abroad,
  accepted,
  adjust,
  authorizationOf,
  authorize,
  availableOf,
  balancesOf,
  clearingOf,
  eventNames,
  eventsOf,
  hold,
  MERCHANT,
  networkApp,
  newMessageId,
  ownProgram,
  type PayingCard,
  payingCard,
  send,
  setControls,
  setTerms,
  transactionsOf,
} from '../../support/cards/network.ts';
import { setClock } from '../../support/server/clock.ts';
import type { Answer } from '../../support/server/test-app.ts';

const app = networkApp();

/** Clears, and returns the answer's body; a clearing is never refused. */
const clear = (card: PayingCard, id: string, amount: string, changes: object = {}): Promise<Answer['body']> =>
  accepted(app, 'clearings', { ...clearingOf(card, id, amount), ...changes }, card.owner);

/** `status amount bill_amount` of the card's one purchase, and what the card has left. */
async function shown(card: PayingCard): Promise<[string, number]> {
  const [purchase] = await transactionsOf(app, card);
  const { status, amount, currency, bill_amount } = purchase;
  return [`${status} ${amount} ${currency} ${bill_amount}`, await availableOf(app, card)];
}

describe('one clearing', () => {
  test('of the full hold: has every response field, sends an event, and spends the money', async () => {
    const card = await payingCard(app, {}, await ownProgram(app));
    const approval = await authorize(app, card, '10.00');
    const id = approval.external_transaction_id;
    const request = clearingOf(card, id, '10.00');
    const { status, body } = await send(app, 'clearings', request, card.owner);
    expect([status, body]).toEqual([
      200,
      {
        clearing_id: request.clearing_id,
        transaction_id: approval.transaction_id,
        external_transaction_id: id,
        status: 'CLEARED',
        bill_amount: '10.00',
        bill_currency: 'EUR',
      },
    ]);
    expect(await shown(card)).toEqual(['CLEARED 10.00 EUR 10', 240]);
    expect(await balancesOf(app, card.owner)).toEqual({
      master: -1_000n,
      settlement: 1_000n,
      credit: -24_000n,
    });
    expect((await eventsOf(app, card)).at(-1)).toMatchObject({
      name: 'authorization.clearing',
      sequence: 3,
      data: {
        transaction_id: approval.transaction_id,
        message_id: request.clearing_id,
        status: 'CLEARED',
        amount: '10.00',
        bill_amount: '10.00',
        approval_code: approval.approval_code,
      },
    });
  });

  test('below zero no purchase is approved until the balance is raised', async () => {
    const card = await payingCard(app, { spendLimit: 10 });
    await clear(card, await hold(app, card, '10.00'), '15.00');
    expect(await availableOf(app, card)).toBe(-5);
    expect(await authorize(app, card, '0.01')).toMatchObject({ decline_code: '51' });
    expect(await authorize(app, card, '0.00')).toMatchObject({ approved: true });
    await adjust(app, card, 6);
    expect(await authorize(app, card, '1.01')).toMatchObject({ decline_code: '51' });
    await hold(app, card, '1.00');
  });

  test.each(['freeze', 'block: stolen', 'reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE'])(
    'is accepted in any state of the card: %s',
    async (action) => {
      const card = await payingCard(app);
      const id = await hold(app, card, '10.00');
      await act(app, card.id, action);
      await setControls(app, card, { transactionLimit: 0, blockedMccs: ['5814'] });
      expect(await clear(card, id, '11.00', { card_number: card.number })).toMatchObject({
        status: 'CLEARED',
      });
      expect(await availableOf(app, card)).toBe(239);
    },
  );

  test('ignores the master balance', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const id = await hold(app, card, '10.00');
    await setTerms(app, owner, { enforce_master_balance: true });
    expect(await clear(card, id, '20.00')).toMatchObject({ status: 'CLEARED' });
    expect(await balancesOf(app, owner)).toMatchObject({ master: -2_000n, settlement: 2_000n });
  });
});

describe('several clearings', () => {
  test('while a part is held, the list shows the requested amounts in both currencies', async () => {
    const card = await payingCard(app);
    const id = await hold(app, card, '11.00', abroad('11.00', 'USD', '10.00'));
    await clear(card, id, '', { ...abroad('4.40', 'USD', '4.00'), final: false });
    expect(await shown(card)).toEqual(['PENDING 11.00 USD 10', 240]);
    await clear(card, id, '', abroad('5.50', 'USD', '5.00'));
    expect(await shown(card)).toEqual(['CLEARED 9.90 USD 9', 241]);
  });
});

describe('a clearing that is late, or of a purchase that was not approved', () => {
  test('with the number of a card other than the purchase’s: 400, and neither card changes', async () => {
    const [card, other] = [await payingCard(app), await payingCard(app)];
    const id = await hold(app, card, '10.00');
    const request = clearingOf(card, id, '10.00', { card_number: other.number });
    const { status, body } = await send(app, 'clearings', request);
    const message = 'card_number: does not match the card of the purchase';
    expect([status, body]).toEqual([400, { code: 400, message, status: 'failed' }]);
    expect(await shown(card)).toEqual(['PENDING 10.00 EUR 10', 240]);
    expect([await availableOf(app, other), await transactionsOf(app, other)]).toEqual([250, []]);
    // Its id is still free.
    expect((await send(app, 'clearings', { ...request, card_number: card.number })).status).toBe(200);
  });
});

describe('without an authorization', () => {
  test('the card number identifies the card of the new purchase', async () => {
    const card = await payingCard(app);
    const id = newMessageId('offline');
    const body = await clear(card, id, '10.00', { card_number: card.number });
    expect(body).toMatchObject({ external_transaction_id: id, status: 'CLEARED', bill_amount: '10.00' });
    expect(body.transaction_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await shown(card)).toEqual(['CLEARED 10.00 EUR 10', 240]);
    expect(await eventNames(app, card)).toEqual(['authorization.clearing']);
  });

  test('counts in the limits on its own day', async () => {
    const owner = await ownProgram(app);
    await setClock(app, '2095-01-10T12:00:00Z', owner.key);
    const card = await payingCard(app, {}, owner);
    await setControls(app, card, { dailyLimit: 10, monthlyLimit: 16 });
    await clear(card, newMessageId('offline'), '6.00', { card_number: card.number });
    expect(await authorize(app, card, '4.01')).toMatchObject({ decline_code: 'R6' });
    await hold(app, card, '4.00');
    await setClock(app, '2095-01-11T12:00:00Z', owner.key);
    expect(await authorize(app, card, '6.01')).toMatchObject({ decline_code: 'R13' });
    await hold(app, card, '6.00');
  });

  test('also on a blocked card, with an old number, and beyond the credit', async () => {
    const card = await payingCard(app, { spendLimit: 5 });
    await act(app, card.id, 'reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE');
    await act(app, card.id, 'block: lost');
    await clear(card, newMessageId('offline'), '10.00', { card_number: card.number });
    expect(await shown(card)).toEqual(['CLEARED 10.00 EUR 10', -5]);
  });

  test.each([
    ['no card number', undefined, 'card_number: is required for a clearing without an authorization'],
    ['a number that is no card', '9999000000000000', 'card_number: is not a card in this program'],
  ])('%s: 400, and nothing is written', async (_name, card_number, message) => {
    const card = await payingCard(app);
    const id = newMessageId('offline');
    const request = clearingOf(card, id, '10.00', { card_number });
    const { status, body } = await send(app, 'clearings', request);
    expect([status, body]).toEqual([400, { code: 400, message, status: 'failed' }]);
    // Neither the message nor the purchase used its id.
    const again = await send(app, 'clearings', { ...request, card_number: card.number });
    expect([again.status, again.body.status]).toEqual([200, 'CLEARED']);
  });

  test('a number of another program is unknown', async () => {
    const other = await payingCard(app, {}, await ownProgram(app));
    const request = clearingOf(other, newMessageId('offline'), '10.00', { card_number: other.number });
    expect((await send(app, 'clearings', request)).body.message).toBe(
      'card_number: is not a card in this program',
    );
  });
});

describe('before its authorization', () => {
  test('with a card other than its authorization’s: 409', async () => {
    const [card, other] = [await payingCard(app), await payingCard(app)];
    const id = newMessageId('early');
    await clear(card, id, '10.00', { card_number: card.number });
    const late = authorizationOf(other, '10.00', { external_transaction_id: id });
    expect((await send(app, 'authorizations', late)).status).toBe(409);
    expect([await availableOf(app, card), await availableOf(app, other)]).toEqual([240, 250]);
  });
});

describe('fees', () => {
  const TERMS = {
    fx_fee_bps: 250,
    atm_fee_minor: 300,
    interchange_bps: 150,
    transaction_cost_minor: 7,
    transaction_cost_bps: 20,
  };

  test('use the rates of the authorization, for the cardholder', async () => {
    const owner = await ownProgram(app, TERMS);
    const card = await payingCard(app, {}, owner);
    const id = await hold(app, card, '11.00', abroad('11.00', 'USD', '10.00'));
    await setTerms(app, owner, { fx_fee_bps: 1_000 });
    await clear(card, id, '', abroad('22.00', 'USD', '20.00'));
    expect(await availableOf(app, card)).toBe(229.5);
  });

  test('of a purchase that is taken back and presented again are those of the new currency', async () => {
    const card = await payingCard(app, {}, await ownProgram(app, TERMS));
    const id = await hold(app, card, '10.00');
    const [home, away] = [abroad('10.00', 'EUR', '10.00'), abroad('11.00', 'USD', '10.00')];
    for (const [money, available] of [[home, 240] as const, [away, 239.75] as const, [home, 240] as const]) {
      const clearing_id = newMessageId('clr');
      await clear(card, id, '', { ...money, clearing_id });
      expect(await availableOf(app, card)).toBe(available);
      const reversal = { reversal_id: newMessageId('rev'), clearing_id };
      expect((await send(app, 'reversals', reversal, card.owner)).status).toBe(200);
      expect(await availableOf(app, card)).toBe(250);
    }
  });
});

describe('a repeated clearing', () => {
  test('gets the first response and moves nothing', async () => {
    const card = await payingCard(app);
    const id = await hold(app, card, '10.00');
    const request = clearingOf(card, id, '4.00', { final: false });
    const first = await send(app, 'clearings', request);
    await clear(card, id, '6.00');
    const again = await send(app, 'clearings', request);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await shown(card)).toEqual(['CLEARED 10.00 EUR 10', 240]);
  });

  test.each(['with', 'without'])(
    'twenty concurrent copies, %s authorization: one effect, one response',
    async (how) => {
      const card = await payingCard(app);
      const id = how === 'with' ? await hold(app, card, '10.00') : newMessageId('offline');
      const request = clearingOf(card, id, '10.00', { card_number: card.number });
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(app, 'clearings', request)));
      expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
      expect(await shown(card)).toEqual(['CLEARED 10.00 EUR 10', 240]);
      expect(await transactionsOf(app, card)).toHaveLength(1);
    },
  );

  test.each<[string, Record<string, unknown>]>([
    ['amount', { amount: '4.41' }],
    ['bill_amount', { bill_amount: '4.01' }],
    ['currency', { currency: 'GBP' }],
    ['channel', { channel: 'POS' }],
    ['merchant', { merchant: MERCHANT }],
    ['final', { final: true }],
    ['external_transaction_id', { external_transaction_id: 'net-other' }],
  ])('with a different %s: 409', async (_field, changes) => {
    const card = await payingCard(app);
    const money = abroad('4.40', 'USD', '4.00');
    const request = clearingOf(card, await hold(app, card, '10.00'), '', { ...money, final: false });
    await send(app, 'clearings', request);
    const { status, body } = await send(app, 'clearings', { ...request, ...changes });
    expect([status, body]).toEqual([
      409,
      { code: 409, message: 'clearing_id: was already used with a different request', status: 'failed' },
    ]);
    expect(await shown(card)).toEqual([expect.stringContaining('PENDING'), 240]);
  });

  test('with the number of another card, without an authorization: 409', async () => {
    const [card, other] = [await payingCard(app), await payingCard(app)];
    const request = clearingOf(card, newMessageId('offline'), '4.00', { card_number: card.number });
    await send(app, 'clearings', request);
    expect((await send(app, 'clearings', { ...request, card_number: other.number })).status).toBe(409);
  });

  test('`final` is true if absent', async () => {
    const card = await payingCard(app);
    const request = clearingOf(card, await hold(app, card, '10.00'), '4.00');
    const first = await send(app, 'clearings', request);
    expect((await send(app, 'clearings', { ...request, final: true })).body).toEqual(first.body);
  });
});
