import { describe, expect, test } from 'vitest';
import { act } from '../../support/cards/card-states.ts';
import {
  APPROVAL,
  authorizationOf,
  DECLINE,
  networkApp,
  newMessageId,
  ownProgram,
  type PayingCard,
  payingCard,
} from '../../support/cards/network.ts';
import type { Answer } from '../../support/server/test-app.ts';

/** What the network decided instead of us, and authorizations of other types than a purchase. */

const app = networkApp();

const APPROVED = { approved: true, approval_code: 'A1B2C3', reason: 'issuer unavailable' };
const advise = (
  card: PayingCard,
  amount: string,
  changes: Record<string, unknown> = {},
): Promise<Answer['body']> => card.authorize(amount, { stand_in: APPROVED, ...changes });

describe('an approved advice', () => {
  test('has every response field, holds the money, is listed and sends an event', async () => {
    const card = await payingCard(app, {}, await ownProgram(app));
    const request = authorizationOf(card, '12.50', { stand_in: APPROVED });
    const { status, body } = await card.send('authorizations', request);
    expect([status, body]).toEqual([
      200,
      {
        ...APPROVAL,
        external_transaction_id: request.external_transaction_id,
        approval_code: 'A1B2C3',
        bill_amount: '12.50',
      },
    ]);
    expect(await card.available()).toBe(237.5);
    expect(await card.balances()).toEqual({ master: -1_250n, holds: 1_250n, credit: -23_750n });
    expect(await card.transactions()).toMatchObject([{ status: 'PENDING', bill_amount: 12.5 }]);
    expect((await card.events()).at(-1)).toMatchObject({
      name: 'authorization',
      data: {
        approval_code: 'A1B2C3',
        decision: {
          source: 'network',
          outcome: 'approved',
          duration_ms: null,
          reason: 'issuer unavailable',
          reference: null,
          metadata: null,
        },
      },
    });
    expect((await card.send('authorizations', request)).body).toEqual(body);
    expect(await card.available()).toBe(237.5);
  });

  test('without an approval code gets one', async () => {
    const { approval_code } = await advise(await payingCard(app), '1.00', { stand_in: { approved: true } });
    expect(approval_code).toMatch(/^\d{6}$/);
  });

  type Prepare = (card: PayingCard) => Promise<unknown>;
  const acted =
    (...actions: string[]): Prepare =>
    async ({ id }) => {
      for (const action of actions) await act(app, id, action);
    };
  test.each<[what: string, Prepare]>([
    ['an empty card', async () => {}],
    ['a frozen card', acted('freeze')],
    ['a blocked card', acted('block: stolen')],
    ['the old number of a card', acted('reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE')],
    ['another expiry', async () => ({ expiry: '2020-01' })],
    ['a wrong CVV', async ({ wrongCvv }) => ({ cvv: wrongCvv })],
    ['a blocked category', (card) => card.setControls({ blockedMccs: ['5814'] })],
    [
      'limits that are used up',
      (card) => card.setControls({ transactionLimit: 0, dailyLimit: 0, monthlyLimit: 0, allTimeLimit: 0 }),
    ],
  ])('is held whatever the guards say, and may take the card below zero: %s', async (_what, prepare) => {
    const card = await payingCard(app, { spendLimit: 10 });
    const changes = ((await prepare(card)) ?? {}) as Record<string, unknown>;
    expect(await advise(card, '25.00', changes)).toMatchObject({
      approved: true,
      status: 'PENDING',
      network_code: '00',
      approval_code: 'A1B2C3',
      bill_amount: '25.00',
    });
    expect(await card.available()).toBe(-15);
  });

  test('after its reversal is recorded as approved, and nothing is held', async () => {
    const card = await payingCard(app, {}, await ownProgram(app));
    await card.setControls({ allTimeLimit: 10 });
    const external_transaction_id = newMessageId('early');
    await card.reverse(external_transaction_id);
    expect(await advise(card, '25.00', { external_transaction_id })).toMatchObject({
      approved: true,
      status: 'VOID',
      approval_code: 'A1B2C3',
    });
    expect([await card.available(), await card.balances()]).toEqual([250, { credit: -25_000n }]);
    expect(await card.transactions()).toMatchObject([{ status: 'VOID' }]);
    // Nor does it count in the limits.
    await card.hold('10.00');
  });
});

describe('a declined advice', () => {
  test('is recorded with R14 and holds nothing', async () => {
    const card = await payingCard(app, {}, await ownProgram(app));
    const stand_in = { approved: false, reason: 'velocity' };
    const request = authorizationOf(card, '12.50', { stand_in });
    const { status, body } = await card.send('authorizations', request);
    expect([status, body]).toEqual([
      200,
      {
        ...DECLINE,
        external_transaction_id: request.external_transaction_id,
        decline_code: 'R14',
        decline_reason: 'stand_in_declined',
        network_code: '05',
        bill_amount: '12.50',
      },
    ]);
    expect([await card.available(), await card.balances()]).toEqual([250, { credit: -25_000n }]);
    expect(await card.transactions()).toMatchObject([{ id: body.transaction_id, status: 'DECLINED' }]);
    expect((await card.events()).at(-1)).toMatchObject({
      name: 'authorization.declined',
      data: {
        decline_code: 'R14',
        limits: null,
        decision: { source: 'network', outcome: 'declined', reason: 'velocity' },
      },
    });
  });

  test.each(['freeze', 'block: fraud'])('has R14 whatever our own reason were: %s', async (action) => {
    const card = await payingCard(app);
    await card.act(action);
    expect(await advise(card, '25.00', { stand_in: { approved: false } })).toMatchObject({
      decline_code: 'R14',
    });
  });
});

describe('any advice', () => {
  test.each([true, false])(
    'with a wrong CVV or expiry is no wrong entry (approved: %s)',
    async (approved) => {
      const card = await payingCard(app);
      const bad = { cvv: card.wrongCvv };
      for (let copy = 0; copy < 10; copy++)
        expect(
          await advise(card, '1.00', { ...bad, expiry: '2020-01', stand_in: { approved } }),
        ).toMatchObject({
          approved,
        });
      // Two of our own are still no reason to block the card, and a right CVV passes.
      for (let entry = 0; entry < 2; entry++)
        expect(await card.authorize('1.00', bad)).toMatchObject({ decline_code: 'N7' });
      expect(await card.authorize('1.00', { cvv: card.cvv })).toMatchObject({ approved: true });
    },
  );

  test('with a right CVV does not reset the count of wrong ones', async () => {
    const card = await payingCard(app);
    const bad = { cvv: card.wrongCvv };
    for (let entry = 0; entry < 2; entry++) await card.authorize('1.00', bad);
    await advise(card, '1.00', { cvv: card.cvv });
    await card.authorize('1.00', bad);
    expect(await card.authorize('1.00')).toMatchObject({ decline_code: 'R8', network_code: '59' });
  });

  test.each([true, false])(
    'of an unknown number is answered with 200 and 14 (approved: %s)',
    async (approved) => {
      const card = (await payingCard(app)).with({ number: '9999000000000000' });
      expect(await advise(card, '1.00', { stand_in: { approved } })).toMatchObject({
        transaction_id: null,
        approved: false,
        decline_code: '14',
        network_code: '14',
      });
    },
  );
});

describe('a balance inquiry', () => {
  const inquire = async (card: PayingCard, changes: Record<string, unknown> = {}): Promise<Answer> => {
    const { amount: _amount, currency: _currency, ...request } = authorizationOf(card, '');
    return card.send('authorizations', { ...request, type: 'BALANCE_INQUIRY', ...changes });
  };

  test('has the available amount and every response field, holds nothing and ends VOID', async () => {
    const card = await payingCard(app, {}, await ownProgram(app, { atm_fee_minor: 300 }));
    await card.hold('12.50');
    const { status, body } = await inquire(card, { channel: 'ATM' });
    expect([status, body]).toEqual([
      200,
      {
        ...APPROVAL,
        external_transaction_id: expect.any(String),
        status: 'VOID',
        bill_amount: '0.00',
        available_amount: '237.50',
      },
    ]);
    expect(await card.available()).toBe(237.5);
    expect(await card.transactions()).toMatchObject([
      { status: 'VOID', bill_amount: 0 },
      { status: 'PENDING' },
    ]);
    expect(await card.eventNames()).toEqual(['authorization', 'authorization']);
  });

  test('repeated gets the first answer, also after the balance has changed', async () => {
    const card = await payingCard(app);
    const external_transaction_id = newMessageId('inquiry');
    const first = await inquire(card, { external_transaction_id });
    await card.hold('10.00');
    expect((await inquire(card, { external_transaction_id })).body).toEqual(first.body);
    expect((await inquire(card)).body.available_amount).toBe('240.00');
  });

  test('works with no money and no limits left, and below zero', async () => {
    const card = await payingCard(app, { spendLimit: 10 });
    await card.clear(await card.hold('10.00'), '15.00');
    await card.setControls({ transactionLimit: 0, dailyLimit: 0, monthlyLimit: 0, allTimeLimit: 0 });
    expect((await inquire(card)).body).toMatchObject({ approved: true, available_amount: '-5.00' });
  });

  test.each([
    ['freeze', 'R1'],
    ['block: lost', 'R8'],
  ])('on a card that cannot pay is declined and shows no balance: %s', async (action, decline_code) => {
    const card = await payingCard(app);
    await card.act(action);
    const { status, body } = await inquire(card);
    expect([status, body]).toEqual([200, expect.objectContaining({ approved: false, decline_code })]);
    expect(body).not.toHaveProperty('available_amount');
  });

  test('with a wrong CVV is declined and shows no balance', async () => {
    const card = await payingCard(app);
    const { body } = await inquire(card, { cvv: card.wrongCvv });
    expect(body).toMatchObject({ decline_code: 'N7' });
    expect(body).not.toHaveProperty('available_amount');
  });

  test('may have an amount of zero and no other', async () => {
    const card = await payingCard(app);
    expect((await inquire(card, { amount: '0.00', currency: 'EUR' })).status).toBe(200);
    const { status, body } = await inquire(card, { amount: '0.01', currency: 'EUR' });
    expect([status, body]).toEqual([
      400,
      { code: 400, message: 'amount: must be absent in a balance inquiry', status: 'failed' },
    ]);
  });

  test('no other authorization has an available amount', async () => {
    const card = await payingCard(app);
    expect(await card.authorize('1.00', { type: 'PURCHASE' })).not.toHaveProperty('available_amount');
    expect(await card.authorize('0.00')).not.toHaveProperty('available_amount');
  });
});

describe('cash', () => {
  test.each([
    ['at a till', { type: 'CASH', channel: 'POS' }, 237],
    ['at a machine, once', { type: 'CASH', channel: 'ATM' }, 237],
    ['a purchase at a till is none', { type: 'PURCHASE', channel: 'POS' }, 240],
  ])('%s costs the ATM fee', async (_what, changes, available) => {
    const card = await payingCard(app, {}, await ownProgram(app, { atm_fee_minor: 300 }));
    const id = await card.hold('10.00', changes);
    expect(await card.available()).toBe(available);
    await card.clear(id, '10.00');
    expect(await card.available()).toBe(available);
    const fee = BigInt((240 - available) * 100);
    expect((await card.balances())['atmRevenue'] ?? 0n).toBe(fee);
  });

  test('whose fee the card cannot pay is declined', async () => {
    const card = await payingCard(app, { spendLimit: 12.99 }, await ownProgram(app, { atm_fee_minor: 300 }));
    expect(await card.authorize('10.00', { type: 'CASH' })).toMatchObject({ decline_code: '51' });
    await card.hold('9.99', { type: 'CASH' });
  });
});
