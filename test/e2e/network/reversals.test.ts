import { describe, expect, test } from 'vitest';
import { act } from '../../support/cards/card-states.ts';
import {
  abroad,
  accepted,
  authorizationOf,
  authorize,
  availableOf,
  balancesOf,
  clearingOf,
  eventNames,
  eventsOf,
  hold,
  networkApp,
  newMessageId,
  ownProgram,
  payingCard,
  reversalOf,
  send,
  transactionsOf,
} from '../../support/cards/network.ts';

const app = networkApp();

/** `status bill_amount` of the answer: what is left of the purchase, and what was given back. */
async function reverse(
  id: string,
  changes: object = {},
  owner: Parameters<typeof send>[3] = app,
): Promise<string> {
  const body = await accepted(app, 'reversals', reversalOf(id, { ...changes }), owner);
  return `${body.status} ${body.bill_amount}`;
}

describe('a reversal', () => {
  test('of the full amount: has every response field, sends an event, and the credit returns', async () => {
    const card = await payingCard(app, {}, await ownProgram(app));
    const { transaction_id, external_transaction_id } = await authorize(app, card, '10.00');
    const request = reversalOf(external_transaction_id);
    const { status, body } = await send(app, 'reversals', request, card.owner);
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
    expect(await availableOf(app, card)).toBe(250);
    expect(await balancesOf(app, card.owner)).toEqual({ credit: -25_000n });
    expect(await transactionsOf(app, card)).toMatchObject([
      { status: 'VOID', bill_amount: 10, amount: '10.00' },
    ]);
    expect((await eventsOf(app, card)).at(-1)).toMatchObject({
      name: 'authorization.reversal',
      sequence: 3,
      data: { transaction_id, message_id: request.reversal_id, status: 'VOID', bill_amount: '10.00' },
    });
  });

  test("has the amount in the merchant's currency too, if it is known", async () => {
    const card = await payingCard(app);
    const shown = async () => {
      const { amount, currency, bill_amount } = (await eventsOf(app, card)).at(-1)?.data ?? {};
      return [amount, currency, bill_amount];
    };
    await reverse(await hold(app, card, '10.00'), { bill_amount: '4.00' });
    expect(await shown()).toEqual(['4.00', 'EUR', '4.00']);
    await reverse(await hold(app, card, '1500', abroad('1500', 'JPY', '10.00')));
    expect(await shown()).toEqual(['1500', 'JPY', '10.00']);
    await reverse(await hold(app, card, '1500', abroad('1500', 'JPY', '10.00')), { bill_amount: '4.00' });
    expect(await shown()).toEqual([null, 'JPY', '4.00']);
  });

  test('of zero: 400', async () => {
    const card = await payingCard(app);
    const id = await hold(app, card, '10.00');
    const request = reversalOf(id, { bill_amount: '0.00' });
    const message = 'bill_amount: must be greater than 0';
    const { status, body } = await send(app, 'reversals', request);
    expect([status, body]).toEqual([400, { code: 400, message, status: 'failed' }]);
    expect(await availableOf(app, card)).toBe(240);
    // Its id is still free.
    expect((await send(app, 'reversals', { ...request, bill_amount: '10.00' })).body).toMatchObject({
      status: 'VOID',
    });
  });

  test.each(['freeze', 'block: fraud'])(
    'is accepted on a card that cannot pay any more: %s',
    async (action) => {
      const card = await payingCard(app);
      const id = await hold(app, card, '10.00');
      await act(app, card.id, action);
      expect(await reverse(id)).toBe('VOID 10.00');
      expect(await availableOf(app, card)).toBe(250);
    },
  );
});

describe('before its authorization', () => {
  test('is stored, and the late authorization is declined', async () => {
    const card = await payingCard(app);
    const id = newMessageId('early');
    const request = reversalOf(id);
    const { status, body } = await send(app, 'reversals', request);
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
    const answer = await send(app, 'authorizations', late);
    expect(answer.body).toMatchObject({
      approved: false,
      status: 'DECLINED',
      decline_code: '12',
      decline_reason: 'already_reversed',
      network_code: '12',
      approval_code: null,
    });
    expect(await transactionsOf(app, card)).toMatchObject([
      { id: answer.body.transaction_id, status: 'DECLINED' },
    ]);
    expect(await availableOf(app, card)).toBe(250);
    // Copies of both get what the first ones got.
    expect((await send(app, 'authorizations', late)).body).toEqual(answer.body);
    expect((await send(app, 'reversals', request)).body).toEqual(body);
    expect(await eventNames(app, card)).toEqual(['authorization.declined']);
  });
});

describe('a repeated reversal', () => {
  test('gets the first response and moves nothing', async () => {
    const card = await payingCard(app);
    const id = await hold(app, card, '10.00');
    const request = reversalOf(id, { bill_amount: '4.00' });
    const first = await send(app, 'reversals', request);
    await reverse(id, { bill_amount: '1.00' });
    const again = await send(app, 'reversals', request);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await availableOf(app, card)).toBe(245);
  });

  test.each(['after', 'before'])(
    'twenty concurrent copies, %s the authorization: one effect, one response',
    async (when) => {
      const card = await payingCard(app);
      const id = when === 'after' ? await hold(app, card, '10.00') : newMessageId('early');
      const request = reversalOf(id, { bill_amount: '4.00' });
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(app, 'reversals', request)));
      expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
      expect(await availableOf(app, card)).toBe(when === 'after' ? 244 : 250);
    },
  );

  test.each<[string, Record<string, unknown>]>([
    ['bill_amount', { bill_amount: '4.01' }],
    ['no bill_amount', { bill_amount: undefined }],
    ['external_transaction_id', { external_transaction_id: 'net-other' }],
  ])('with different content (%s): 409', async (_field, changes) => {
    const card = await payingCard(app);
    const request = reversalOf(await hold(app, card, '10.00'), { bill_amount: '4.00' });
    await send(app, 'reversals', request);
    const { status, body } = await send(app, 'reversals', { ...request, ...changes });
    expect([status, body]).toEqual([
      409,
      { code: 409, message: 'reversal_id: was already used with a different request', status: 'failed' },
    ]);
    expect(await availableOf(app, card)).toBe(244);
  });

  test('a reversal and a clearing can have the id of their purchase: each kind has its own ids', async () => {
    const card = await payingCard(app);
    const id = await hold(app, card, '10.00');
    expect(await reverse(id, { reversal_id: id, bill_amount: '1.00' })).toBe('PENDING 1.00');
    const clearing = clearingOf(card, id, '9.00', { clearing_id: id });
    expect((await send(app, 'clearings', clearing)).body).toMatchObject({ status: 'CLEARED' });
    expect(await availableOf(app, card)).toBe(241);
  });
});

test("a reversal of another program's purchase releases nothing", async () => {
  const card = await payingCard(app);
  const id = await hold(app, card, '10.00');
  const other = await ownProgram(app);
  const { body } = await send(app, 'reversals', reversalOf(id), other);
  expect(body).toMatchObject({ transaction_id: null, status: 'VOID' });
  expect(await availableOf(app, card)).toBe(240);
});
