import { describe, expect, test } from 'vitest';
import {
  abroad,
  authorizationOf,
  clearingOf,
  networkApp,
  newMessageId,
  ownProgram,
  type PayingCard,
  payingCard,
  setTerms,
} from '../../support/cards/network.ts';
import type { Answer } from '../../support/server/test-app.ts';

const app = networkApp();

/** Clears, and returns the answer's body; a clearing is never refused. */
const clear = (card: PayingCard, id: string, amount: string, changes: object = {}): Promise<Answer['body']> =>
  card.clear(id, amount, changes);

/** `status amount bill_amount` of the card's one purchase, and what the card has left. */
async function shown(card: PayingCard): Promise<[string, number]> {
  const [purchase] = await card.transactions();
  const { status, amount, currency, bill_amount } = purchase;
  return [`${status} ${amount} ${currency} ${bill_amount}`, await card.available()];
}

describe('one clearing', () => {
  test('of the full hold: has every response field, sends an event, and spends the money', async () => {
    const card = await payingCard(app, {}, await ownProgram(app));
    const approval = await card.authorize('10.00');
    const id = approval.external_transaction_id;
    const request = clearingOf(card, id, '10.00');
    const { status, body } = await card.send('clearings', request);
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
    expect(await card.balances()).toEqual({
      master: -1_000n,
      settlement: 1_000n,
      credit: -24_000n,
    });
    expect((await card.events()).at(-1)).toMatchObject({
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

  test.each(['freeze', 'block: stolen', 'reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE'])(
    'is accepted in any state of the card: %s',
    async (action) => {
      const card = await payingCard(app);
      const id = await card.hold('10.00');
      await card.act(action);
      await card.setControls({ transactionLimit: 0, blockedMccs: ['5814'] });
      expect(await clear(card, id, '11.00', { card_number: card.number })).toMatchObject({
        status: 'CLEARED',
      });
      expect(await card.available()).toBe(239);
    },
  );
});

describe('several clearings', () => {
  test('while a part is held, the list shows the requested amounts in both currencies', async () => {
    const card = await payingCard(app);
    const id = await card.hold('11.00', abroad('11.00', 'USD', '10.00'));
    await clear(card, id, '', { ...abroad('4.40', 'USD', '4.00'), final: false });
    expect(await shown(card)).toEqual(['PENDING 11.00 USD 10', 240]);
    await clear(card, id, '', abroad('5.50', 'USD', '5.00'));
    expect(await shown(card)).toEqual(['CLEARED 9.90 USD 9', 241]);
  });
});

describe('a clearing that is late, or of a purchase that was not approved', () => {
  test('with the number of a card other than the purchase’s: 400, and neither card changes', async () => {
    const [card, other] = [await payingCard(app), await payingCard(app)];
    const id = await card.hold('10.00');
    const request = clearingOf(card, id, '10.00', { card_number: other.number });
    const message = 'card_number: does not match the card of the purchase';
    await card.refuse('clearings', request, message);
    expect(await shown(card)).toEqual(['PENDING 10.00 EUR 10', 240]);
    expect([await other.available(), await other.transactions()]).toEqual([250, []]);
    // Its id is still free.
    expect((await card.send('clearings', { ...request, card_number: card.number })).status).toBe(200);
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
    expect(await card.eventNames()).toEqual(['authorization.clearing']);
  });

  test('also on a blocked card, with an old number, and beyond the credit', async () => {
    const card = await payingCard(app, { spendLimit: 5 });
    await card.act('reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE');
    await card.act('block: lost');
    await clear(card, newMessageId('offline'), '10.00', { card_number: card.number });
    expect(await shown(card)).toEqual(['CLEARED 10.00 EUR 10', -5]);
  });

  test.each([
    ['no card number', undefined, 'card_number: is required for a clearing without an authorization'],
  ])('%s: 400, and nothing is written', async (_name, card_number, message) => {
    const card = await payingCard(app);
    const id = newMessageId('offline');
    const request = clearingOf(card, id, '10.00', { card_number });
    await card.refuse('clearings', request, message);
    // Neither the message nor the purchase took its place.
    const again = await card.send('clearings', { ...request, card_number: card.number });
    expect([again.status, again.body.status]).toEqual([200, 'CLEARED']);
  });
});

describe('before its authorization', () => {
  test('with a card other than its authorization’s: 409', async () => {
    const [card, other] = [await payingCard(app), await payingCard(app)];
    const id = newMessageId('early');
    await clear(card, id, '10.00', { card_number: card.number });
    const late = authorizationOf(other, '10.00', { external_transaction_id: id });
    expect((await card.send('authorizations', late)).status).toBe(409);
    expect([await card.available(), await other.available()]).toEqual([240, 250]);
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
    const id = await card.hold('11.00', abroad('11.00', 'USD', '10.00'));
    await setTerms(app, owner, { fx_fee_bps: 1_000 });
    await clear(card, id, '', abroad('22.00', 'USD', '20.00'));
    expect(await card.available()).toBe(229.5);
  });
});

describe('a repeated clearing', () => {
  test('`final` is true if absent', async () => {
    const card = await payingCard(app);
    const request = clearingOf(card, await card.hold('10.00'), '4.00');
    const first = await card.send('clearings', request);
    expect((await card.send('clearings', { ...request, final: true })).body).toEqual(first.body);
  });
});
