import { describe, expect, test } from 'vitest';
import {
  authorizationOf,
  clearingOf,
  networkApp,
  newMessageId,
  ownProgram,
  type PayingCard,
  payingCard,
  refundOf,
  STORED_MERCHANT,
  send,
} from '../../support/cards/network.ts';

const app = networkApp();

/** A cleared purchase of 10.00; returns both of its ids. */
async function purchase(card: PayingCard): Promise<{ id: string; transactionId: string }> {
  const id = await card.hold('10.00');
  const body = await card.clear(id, '10.00');
  return { id, transactionId: body.transaction_id };
}

describe('a refund of a purchase', () => {
  test('is a separate transaction: has every response field, is listed with negative amounts, sends an event', async () => {
    const card = await payingCard(app, {}, await ownProgram(app));
    const { id, transactionId } = await purchase(card);
    const request = refundOf(card, '4.00', { external_transaction_id: id });
    const { status, body } = await card.send('refunds', request);
    expect([status, body]).toEqual([
      200,
      {
        refund_id: request.refund_id,
        transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        parent_transaction_id: transactionId,
        external_transaction_id: id,
        status: 'CLEARED',
        bill_amount: '4.00',
        bill_currency: 'EUR',
      },
    ]);
    expect(body.transaction_id).not.toBe(transactionId);
    expect(await card.available()).toBe(244);
    expect(await card.transactions()).toMatchObject([
      {
        id: body.transaction_id,
        external_transaction_id: request.refund_id,
        card_id: card.id,
        bill_amount: -4,
        bill_currency: 'EUR',
        cardholder_name: 'Ada Lovelace',
        amount: '-4.00',
        currency: 'EUR',
        status: 'CLEARED',
      },
      { id: transactionId, status: 'CLEARED', bill_amount: 10 },
    ]);
    expect((await card.events()).at(-1)).toMatchObject({
      name: 'refund',
      sequence: 4,
      data: {
        transaction_id: body.transaction_id,
        parent_transaction_id: transactionId,
        message_id: request.refund_id,
        bill_amount: '4.00',
        merchant: STORED_MERCHANT,
      },
    });
    expect(await card.balances()).toEqual({ master: -600n, settlement: 600n, credit: -24_400n });
  });

  test.each(['freeze', 'block: stolen'])(
    'is credited to a card that cannot pay any more: %s',
    async (action) => {
      const card = await payingCard(app);
      const { id } = await purchase(card);
      await card.act(action);
      const body = await card.refund('10.00', { external_transaction_id: id });
      expect(body).toMatchObject({ status: 'CLEARED' });
      expect(await card.available()).toBe(250);
    },
  );
});

describe('with the number of a card other than the purchase’s', () => {
  test('400, and neither card changes; with its own number, also from before a reissue, it is accepted', async () => {
    const [card, other] = [await payingCard(app), await payingCard(app)];
    const { id } = await purchase(card);
    const request = refundOf(card, '4.00', { external_transaction_id: id, card_number: other.number });
    const message = 'card_number: does not match the card of the purchase';
    await card.refuse('refunds', request, message);
    expect([await card.available(), await other.available()]).toEqual([240, 250]);
    await card.act('reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE');
    expect((await card.send('refunds', { ...request, card_number: card.number })).status).toBe(200);
    expect(await card.available()).toBe(244);
  });
});

describe('a refund without a known purchase', () => {
  test('is credited to the card of its number', async () => {
    const card = await payingCard(app);
    const body = await card.refund('5.00', { card_number: card.number });
    expect(body).toMatchObject({
      parent_transaction_id: null,
      external_transaction_id: null,
      status: 'CLEARED',
      bill_amount: '5.00',
    });
    expect(await card.available()).toBe(255);
    expect(await card.eventNames()).toEqual(['refund']);
  });

  test('also if the purchase it names is unknown, and with the number from before a reissue', async () => {
    const card = await payingCard(app);
    await card.act('reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE');
    const external_transaction_id = newMessageId('unheard');
    const request = refundOf(card, '5.00', { card_number: card.number, external_transaction_id });
    const { body } = await card.send('refunds', request);
    expect(body).toMatchObject({
      parent_transaction_id: null,
      external_transaction_id: null,
      status: 'CLEARED',
    });
    expect(await card.available()).toBe(255);
  });

  test.each([
    ['neither purchase nor number', {}, 'card_number: is required without external_transaction_id'],
    [
      'an unknown purchase alone',
      { external_transaction_id: 'net-unheard' },
      'card_number: is required for a refund without a known purchase',
    ],
    [
      'nothing',
      { card_number: true, amount: '0.00', bill_amount: '0.00' },
      'bill_amount: must be greater than 0',
    ],
  ])('%s: 400, and its id stays free', async (_name, changes: Record<string, unknown>, message) => {
    const card = await payingCard(app);
    const number = changes['card_number'] === true ? { card_number: card.number } : {};
    const request = refundOf(card, '5.00', { ...changes, ...number });
    await card.refuse('refunds', request, message);
    expect(await card.available()).toBe(250);
    const again = {
      ...request,
      amount: '5.00',
      bill_amount: '5.00',
      external_transaction_id: undefined,
      card_number: card.number,
    };
    expect((await card.send('refunds', again)).status).toBe(200);
  });

  test("another program's purchase and number are unknown", async () => {
    const other = await payingCard(app, {}, await ownProgram(app));
    const { id } = await purchase(other);
    const ofPurchase = await send(app, 'refunds', refundOf(other, '5.00', { external_transaction_id: id }));
    const ofNumber = await send(app, 'refunds', refundOf(other, '5.00', { card_number: other.number }));
    expect([ofPurchase.status, ofNumber.status, ofNumber.body.transaction_id]).toEqual([400, 200, null]);
    expect(await other.available()).toBe(240);
  });

  test('an unknown number is taken into suspense, and its id is that of a refund for good', async () => {
    const card = await payingCard(app);
    const stray = refundOf(card, '7.00', { card_number: '9999000000000000' });
    const first = await card.send('refunds', stray);
    expect([first.status, first.body.transaction_id, first.body.status]).toEqual([200, null, 'CLEARED']);
    const id = { external_transaction_id: stray.refund_id };
    const message = 'external_transaction_id: is the id of a refund';
    for (const [path, body] of [
      ['authorizations', authorizationOf(card, '3.00', { ...id, stand_in: { approved: true } })],
      ['clearings', clearingOf(card, stray.refund_id, '4.00', { card_number: card.number })],
      ['reversals', { ...id, reversal_id: newMessageId('rev') }],
    ] as const) {
      const { status, body: refused } = await card.send(path, body);
      expect([path, status, refused.message]).toEqual([path, 409, message]);
    }
    expect((await card.send('refunds', stray)).body).toEqual(first.body);
    expect(await card.available()).toBe(250);
  });
});
