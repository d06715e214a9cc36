import { describe, expect, test } from 'vitest';
import {
  abroad,
  accepted,
  authorizationOf,
  clearingOf,
  networkApp,
  newMessageId,
  ownProgram,
  payingCard,
  reversalOf,
  send,
} from '../../support/cards/network.ts';

const app = networkApp();

/** `status bill_amount` of the answer: what is left of the purchase, and what was given back. */
async function reverse(id: string, changes: object = {}): Promise<string> {
  const body = await accepted(app, 'reversals', reversalOf(id, { ...changes }));
  return `${body.status} ${body.bill_amount}`;
}

describe('a reversal', () => {
  test('of the full amount: has every response field, sends an event, and the credit returns', async () => {
    const card = await payingCard(app, {}, await ownProgram(app));
    const { transaction_id, external_transaction_id } = await card.authorize('10.00');
    const request = reversalOf(external_transaction_id);
    const { status, body } = await card.send('reversals', request);
    expect([status, body]).toEqual([
      200,
      {
        reversal_id: request.reversal_id,
        transaction_id,
        external_transaction_id,
        status: 'VOID',
        bill_amount: '10.00',
        bill_currency: 'EUR',
      },
    ]);
    expect(await card.available()).toBe(250);
    expect(await card.balances()).toEqual({ credit: -25_000n });
    expect(await card.transactions()).toMatchObject([{ status: 'VOID', bill_amount: 10, amount: '10.00' }]);
    expect((await card.events()).at(-1)).toMatchObject({
      name: 'authorization.reversal',
      sequence: 3,
      data: { transaction_id, message_id: request.reversal_id, status: 'VOID', bill_amount: '10.00' },
    });
  });

  test("has the amount in the merchant's currency too: as it was given, or in proportion", async () => {
    const card = await payingCard(app);
    const told = async () => {
      const { amount, currency, bill_amount } = (await card.events()).at(-1)?.data ?? {};
      return [amount, currency, bill_amount];
    };
    await reverse(await card.hold('10.00'), { bill_amount: '4.00' });
    expect(await told()).toEqual(['4.00', 'EUR', '4.00']);
    await reverse(await card.hold('1500', abroad('1500', 'JPY', '10.00')));
    expect(await told()).toEqual(['1500', 'JPY', '10.00']);
    await reverse(await card.hold('1500', abroad('1500', 'JPY', '10.00')), { bill_amount: '4.00' });
    expect(await told()).toEqual(['600', 'JPY', '4.00']);
    await reverse(await card.hold('1500', abroad('1500', 'JPY', '10.00')), abroad('610', 'JPY', '4.00'));
    expect(await told()).toEqual(['610', 'JPY', '4.00']);
  });

  test('of zero: 400', async () => {
    const card = await payingCard(app);
    const id = await card.hold('10.00');
    const request = reversalOf(id, { bill_amount: '0.00' });
    const message = 'bill_amount: must be greater than 0';
    await card.refuse('reversals', request, message);
    expect(await card.available()).toBe(240);
    // Its id is still free.
    expect((await card.send('reversals', { ...request, bill_amount: '10.00' })).body).toMatchObject({
      status: 'VOID',
    });
  });

  test.each(['freeze', 'block: fraud'])(
    'is accepted on a card that cannot pay any more: %s',
    async (action) => {
      const card = await payingCard(app);
      const id = await card.hold('10.00');
      await card.act(action);
      expect(await reverse(id)).toBe('VOID 10.00');
      expect(await card.available()).toBe(250);
    },
  );
});

describe('before its authorization', () => {
  test('is stored, and the late authorization is declined', async () => {
    const card = await payingCard(app);
    const id = newMessageId('early');
    const request = reversalOf(id);
    const { status, body } = await card.send('reversals', request);
    expect([status, body]).toEqual([
      200,
      {
        reversal_id: request.reversal_id,
        transaction_id: null,
        external_transaction_id: id,
        status: 'VOID',
        bill_amount: '0.00',
        bill_currency: 'EUR',
      },
    ]);
    const late = authorizationOf(card, '10.00', { external_transaction_id: id });
    const answer = await card.send('authorizations', late);
    expect(answer.body).toMatchObject({
      approved: false,
      status: 'DECLINED',
      decline_code: '12',
      decline_reason: 'already_reversed',
      network_code: '12',
      approval_code: null,
    });
    expect(await card.transactions()).toMatchObject([{ id: answer.body.transaction_id, status: 'DECLINED' }]);
    expect(await card.available()).toBe(250);
    // Copies of both get what the first ones got.
    expect((await card.send('authorizations', late)).body).toEqual(answer.body);
    expect((await card.send('reversals', request)).body).toEqual(body);
    expect(await card.eventNames()).toEqual(['authorization.declined']);
  });
});

describe('a repeated reversal', () => {
  test('a reversal and a clearing can have the id of their purchase: each kind has its own ids', async () => {
    const card = await payingCard(app);
    const id = await card.hold('10.00');
    expect(await reverse(id, { reversal_id: id, bill_amount: '1.00' })).toBe('PENDING 1.00');
    const clearing = clearingOf(card, id, '9.00', { clearing_id: id });
    expect((await card.send('clearings', clearing)).body).toMatchObject({ status: 'CLEARED' });
    expect(await card.available()).toBe(241);
  });
});

test("a reversal of another program's purchase releases nothing", async () => {
  const card = await payingCard(app);
  const id = await card.hold('10.00');
  const stranger = await ownProgram(app);
  const { body } = await send(app, 'reversals', reversalOf(id), stranger);
  expect(body).toMatchObject({ transaction_id: null, status: 'VOID' });
  expect(await card.available()).toBe(240);
});
