import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { act } from '../support/card-states.ts';
import { advanceDays } from '../support/clock.ts';
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
  hold,
  newMessageId,
  ownProgram,
  payingCard,
  reversalOf,
  send,
  transactionsOf,
} from '../support/network.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

/** `status bill_amount` of the answer: what is left of the purchase, and what was given back. */
async function reverse(
  id: string,
  changes: object = {},
  owner: Parameters<typeof send>[3] = app,
): Promise<string> {
  const { status, body } = await send(app, 'reversals', reversalOf(id, { ...changes }), owner);
  expect([status, body.message]).toEqual([200, undefined]);
  return `${body.status} ${body.bill_amount}`;
}

describe('a reversal', () => {
  test('of all: answered field by field, told, and the money is back', async () => {
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

  test('of parts, until nothing is held', async () => {
    const card = await payingCard(app);
    const id = await hold(app, card, '10.00');
    expect(await reverse(id, { bill_amount: '2.50' })).toBe('PENDING 2.50');
    expect(await availableOf(app, card)).toBe(242.5);
    expect(await reverse(id, { bill_amount: '7.49' })).toBe('PENDING 7.49');
    expect(await reverse(id, { bill_amount: '0.01' })).toBe('VOID 0.01');
    expect(await availableOf(app, card)).toBe(250);
  });

  test("is told in the merchant's currency too, as far as anybody knows it", async () => {
    const card = await payingCard(app);
    const told = async () => {
      const { amount, currency, bill_amount } = (await eventsOf(app, card)).at(-1)?.data ?? {};
      return [amount, currency, bill_amount];
    };
    await reverse(await hold(app, card, '10.00'), { bill_amount: '4.00' });
    expect(await told()).toEqual(['4.00', 'EUR', '4.00']);
    await reverse(await hold(app, card, '1500', abroad('1500', 'JPY', '10.00')));
    expect(await told()).toEqual(['1500', 'JPY', '10.00']);
    await reverse(await hold(app, card, '1500', abroad('1500', 'JPY', '10.00')), { bill_amount: '4.00' });
    expect(await told()).toEqual([null, 'JPY', '4.00']);
  });

  test('above the authorization gives back what is held', async () => {
    const card = await payingCard(app);
    const id = await hold(app, card, '10.00');
    expect(await reverse(id, { bill_amount: '10.01' })).toBe('VOID 10.00');
    expect(await availableOf(app, card)).toBe(250);
    expect((await eventsOf(app, card)).at(-1)?.data).toMatchObject({ bill_amount: '10.00' });
  });

  test('above what is still held gives back what is held', async () => {
    const card = await payingCard(app);
    const id = await hold(app, card, '10.00');
    await reverse(id, { bill_amount: '4.00' });
    expect(await reverse(id, { bill_amount: '10.00' })).toBe('VOID 6.00');
    expect(await reverse(id, { bill_amount: '10.00' })).toBe('VOID 0.00');
    expect(await reverse(id)).toBe('VOID 0.00');
    expect(await availableOf(app, card)).toBe(250);
    expect(await eventNames(app, card)).toEqual([
      'authorization',
      ...Array(2).fill('authorization.reversal'),
    ]);
  });

  test('of nothing: 400', async () => {
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

  test('of what cleared gives nothing back', async () => {
    const card = await payingCard(app);
    const id = await hold(app, card, '10.00');
    await send(app, 'clearings', clearingOf(card, id, '10.00'));
    expect(await reverse(id)).toBe('CLEARED 0.00');
    expect(await reverse(id, { bill_amount: '10.00' })).toBe('CLEARED 0.00');
    expect(await availableOf(app, card)).toBe(240);
  });

  test('of a decline, of an account check and of an expired hold: nothing to give back', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const declined = await authorize(app, card, '300.00');
    const checked = await authorize(app, card, '0.00');
    const expired = await hold(app, card, '10.00');
    await advanceDays(app, 8, owner.key);
    expect(await reverse(declined.external_transaction_id, {}, owner)).toBe('DECLINED 0.00');
    expect(await reverse(checked.external_transaction_id, {}, owner)).toBe('VOID 0.00');
    expect(await reverse(expired, {}, owner)).toBe('VOID 0.00');
    expect(await availableOf(app, card)).toBe(250);
    // Only the expired one was still open, so only its reversal changed anything: it left the limits.
    const told = (await eventsOf(app, card)).filter(({ name }) => name === 'authorization.reversal');
    expect(told.map(({ data }) => [data?.['external_transaction_id'], data?.['bill_amount']])).toEqual([
      [expired, '0.00'],
    ]);
  });

  test.each(['freeze', 'block: fraud'])('is taken on a card that cannot pay any more: %s', async (action) => {
    const card = await payingCard(app);
    const id = await hold(app, card, '10.00');
    await act(app, card.id, action);
    expect(await reverse(id)).toBe('VOID 10.00');
    expect(await availableOf(app, card)).toBe(250);
  });

  test('gives back the fees of what it gives back', async () => {
    const owner = await ownProgram(app, { fx_fee_bps: 250, atm_fee_minor: 300 });
    const card = await payingCard(app, {}, owner);
    const id = await hold(app, card, '11.00', { channel: 'ATM', ...abroad('11.00', 'USD', '10.00') });
    expect(await availableOf(app, card)).toBe(236.75);
    // 2.5 % of the 0.60 still held is 1.5 cents, which is 2: the cash fee stays while anything is held.
    expect(await reverse(id, { bill_amount: '9.40' }, owner)).toBe('PENDING 9.40');
    expect(await availableOf(app, card)).toBe(246.38);
    expect(await reverse(id, {}, owner)).toBe('VOID 0.60');
    expect(await availableOf(app, card)).toBe(250);
    expect(await balancesOf(app, owner)).toEqual({ credit: -25_000n });
  });
});

describe('before its authorization', () => {
  test('is remembered, and the late authorization is declined', async () => {
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

  test('every other reason comes before it', async () => {
    const card = await payingCard(app);
    const id = newMessageId('early');
    await reverse(id);
    const answer = await authorize(app, card, '300.00', { external_transaction_id: id });
    expect(answer).toMatchObject({ decline_code: '51', decline_reason: 'insufficient_funds' });
  });

  test('a part of it, several of them: declined all the same', async () => {
    const card = await payingCard(app);
    const id = newMessageId('early');
    expect(await reverse(id, { bill_amount: '4.00' })).toBe('VOID 0.00');
    expect(await reverse(id, { bill_amount: '1.00' })).toBe('VOID 0.00');
    expect(await authorize(app, card, '10.00', { external_transaction_id: id })).toMatchObject({
      decline_code: '12',
    });
    expect(await reverse(id)).toBe('DECLINED 0.00');
  });

  test('a clearing after it spends the money, and the authorization after both is declined', async () => {
    const card = await payingCard(app);
    const id = newMessageId('early');
    await reverse(id);
    const clearing = clearingOf(card, id, '10.00', { card_number: card.number });
    expect((await send(app, 'clearings', clearing)).body).toMatchObject({ status: 'CLEARED' });
    const answer = await authorize(app, card, '10.00', { external_transaction_id: id });
    expect(answer).toMatchObject({
      approved: false,
      status: 'DECLINED',
      decline_code: '12',
      decline_reason: 'already_reversed',
      network_code: '12',
      approval_code: null,
    });
    expect(await availableOf(app, card)).toBe(240);
    expect(await transactionsOf(app, card)).toMatchObject([
      { id: answer.transaction_id, status: 'CLEARED', bill_amount: 10 },
    ]);
    expect(await eventNames(app, card)).toEqual(['authorization.clearing', 'authorization.declined']);
  });

  test('and a clearing after the declined authorization spends it too', async () => {
    const card = await payingCard(app);
    const id = newMessageId('early');
    await reverse(id);
    await authorize(app, card, '10.00', { external_transaction_id: id });
    expect((await send(app, 'clearings', clearingOf(card, id, '10.00'))).body).toMatchObject({
      status: 'CLEARED',
    });
    expect(await availableOf(app, card)).toBe(240);
  });

  test('both at once, in any order: nothing stays held', async () => {
    const card = await payingCard(app);
    const ids = Array.from({ length: 15 }, () => newMessageId('race'));
    await Promise.all(
      ids.flatMap((id) => [reverse(id), authorize(app, card, '1.00', { external_transaction_id: id })]),
    );
    const statuses = (await transactionsOf(app, card)).map(({ status }) => status);
    expect(statuses).toHaveLength(15);
    expect(statuses.filter((status) => status !== 'VOID' && status !== 'DECLINED')).toEqual([]);
    expect(await availableOf(app, card)).toBe(250);
  });
});

describe('the same reversal again', () => {
  test('gives the first answer and moves nothing', async () => {
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
    'twenty copies at once, %s the authorization: one effect, one answer',
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

  test('twenty different ones at once never give back more than was held', async () => {
    const card = await payingCard(app);
    const id = await hold(app, card, '10.00');
    const given = await Promise.all(Array.from({ length: 20 }, () => reverse(id, { bill_amount: '1.00' })));
    expect(given.filter((answer) => answer.endsWith('1.00'))).toHaveLength(10);
    expect(await availableOf(app, card)).toBe(250);
  });

  test.each<[string, Record<string, unknown>]>([
    ['bill_amount', { bill_amount: '4.01' }],
    ['no bill_amount', { bill_amount: undefined }],
    ['external_transaction_id', { external_transaction_id: 'net-other' }],
  ])('with another content (%s): 409', async (_field, changes) => {
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

  test('a reversal, a clearing and a refund may share an id: each kind has its own', async () => {
    const card = await payingCard(app);
    const id = await hold(app, card, '10.00');
    expect(await reverse(id, { reversal_id: id, bill_amount: '1.00' })).toBe('PENDING 1.00');
    const clearing = clearingOf(card, id, '9.00', { clearing_id: id });
    expect((await send(app, 'clearings', clearing)).body).toMatchObject({ status: 'CLEARED' });
    expect(await availableOf(app, card)).toBe(241);
  });
});

test("a reversal of another program's purchase finds nothing", async () => {
  const card = await payingCard(app);
  const id = await hold(app, card, '10.00');
  const stranger = await ownProgram(app);
  const { body } = await send(app, 'reversals', reversalOf(id), stranger);
  expect(body).toMatchObject({ transaction_id: null, status: 'VOID' });
  expect(await availableOf(app, card)).toBe(240);
});
