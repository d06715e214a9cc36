import { describe, expect, test } from 'vitest';
import { act } from '../../support/cards/card-states.ts';
import {
  APPROVAL,
  abroad,
  authorizationOf,
  balancesOf,
  clearingOf,
  fund,
  networkApp,
  newMessageId,
  ownProgram,
  type PayingCard,
  payingCard,
} from '../../support/cards/network.ts';
import type { Answer } from '../../support/server/test-app.ts';

const app = networkApp();

/** An authorization of which a part may be approved. */
const partly = (
  card: PayingCard,
  amount: string,
  changes: Record<string, unknown> = {},
): Promise<Answer['body']> => card.authorize(amount, { partial_approval: true, ...changes });

describe('a partial approval', () => {
  test('approves what the card has: response, credit, ledger, list and event', async () => {
    const card = await payingCard(app, { spendLimit: 60 }, await ownProgram(app));
    const request = authorizationOf(card, '100.00', { partial_approval: true });
    const { status, body } = await card.send('authorizations', request);
    expect([status, body]).toEqual([
      200,
      {
        ...APPROVAL,
        external_transaction_id: request.external_transaction_id,
        network_code: '10',
        bill_amount: '60.00',
      },
    ]);
    expect(await card.available()).toBe(0);
    expect(await card.balances()).toEqual({ master: -6_000n, holds: 6_000n });
    expect(await card.transactions()).toMatchObject([
      { status: 'PENDING', amount: '60.00', bill_amount: 60 },
    ]);
    expect((await card.events()).at(-1)).toMatchObject({
      name: 'authorization',
      data: { amount: '60.00', bill_amount: '60.00', network_code: '10', decision: { outcome: 'approved' } },
    });
    // A repeat gets the same part, also if the card could pay all by now.
    await card.adjust(100);
    expect((await card.send('authorizations', request)).body).toEqual(body);
    const clearing = clearingOf(card, request.external_transaction_id as string, '60.00');
    expect((await card.send('clearings', clearing)).body.status).toBe('CLEARED');
    expect(await card.available()).toBe(100);
  });

  const FX = { fx_fee_bps: 250 };
  const ATM = { atm_fee_minor: 300 };
  test.each<[what: string, terms: object, credit: number, request: object, bill: string, amount: string]>([
    ['abroad, where the fee rounds', FX, 10, abroad('220.00', 'USD', '200.00'), '9.76', '10.73'],
    ['cash at a till, with the ATM fee', ATM, 50, { type: 'CASH' }, '47.00', '47.00'],
    [
      'cash abroad, with both fees',
      { ...FX, ...ATM },
      105.5,
      { channel: 'ATM', ...abroad('220.00', 'USD', '200.00') },
      '100.00',
      '110.00',
    ],
  ])('%s: the largest amount whose fees fit', async (_what, terms, credit, request, bill, amount) => {
    const owner = await ownProgram(app, { ...terms });
    const card = await payingCard(app, { spendLimit: credit }, owner);
    expect(await partly(card, '200.00', { ...request })).toMatchObject({
      approved: true,
      network_code: '10',
      bill_amount: bill,
    });
    expect(await card.transactions()).toMatchObject([{ amount, bill_amount: Number(bill) }]);
    expect(await card.available()).toBe(0);
  });

  test('approves no more than the least of funds and limits', async () => {
    const card = await payingCard(app, { spendLimit: 70 });
    await card.setControls({
      transactionLimit: 60,
      dailyLimit: 50,
      monthlyLimit: 90,
      allTimeLimit: 55,
    });
    expect(await partly(card, '100.00')).toMatchObject({ network_code: '10', bill_amount: '50.00' });
    await card.setControls({ dailyLimit: null, allTimeLimit: null });
    expect(await partly(card, '100.00')).toMatchObject({ network_code: '10', bill_amount: '20.00' });
  });

  test('approves what the master account covers where it is enforced', async () => {
    const owner = await ownProgram(app, { enforce_master_balance: true, atm_fee_minor: 300 });
    await fund(app, owner, 3_300n);
    const card = await payingCard(app, {}, owner);
    expect(await partly(card, '100.00', { channel: 'ATM' })).toMatchObject({
      network_code: '10',
      bill_amount: '30.00',
    });
    expect(await balancesOf(app, owner)).toMatchObject({ holds: 3_300n, funding: -3_300n });
    expect(await partly(card, '0.01')).toMatchObject({ approved: false, decline_code: 'R10' });
    expect(await card.available()).toBe(217);
  });

  test('of a purchase that has cleared in part approves the whole purchase up to the funds', async () => {
    const card = await payingCard(app, { spendLimit: 50 });
    const external_transaction_id = newMessageId('early');
    const clearing = clearingOf(card, external_transaction_id, '20.00', { final: false });
    await card.send('clearings', { ...clearing, card_number: card.number });
    expect(await partly(card, '100.00', { external_transaction_id })).toMatchObject({
      network_code: '10',
      bill_amount: '50.00',
    });
    expect(await card.available()).toBe(0);
  });
});

describe('no partial approval', () => {
  test('when the whole amount fits: it is approved with the network code 00', async () => {
    const card = await payingCard(app, { spendLimit: 60 });
    expect(await partly(card, '60.00')).toMatchObject({
      approved: true,
      network_code: '00',
      bill_amount: '60.00',
    });
  });

  test.each([undefined, false])('when it is not wanted (partial_approval: %s)', async (partial_approval) => {
    const card = await payingCard(app, { spendLimit: 60 });
    expect(await card.authorize('60.01', { partial_approval })).toMatchObject({
      approved: false,
      decline_code: '51',
      bill_amount: '60.01',
    });
    expect(await card.available()).toBe(60);
  });

  test('when nothing is left: declined, with the numbers behind it', async () => {
    const card = await payingCard(app, { spendLimit: 60 });
    await card.hold('60.00');
    expect(await partly(card, '10.00')).toMatchObject({
      approved: false,
      decline_code: '51',
      bill_amount: '10.00',
    });
    expect((await card.events()).at(-1)?.data).toMatchObject({
      limits: { available: '0.00', needed: '10.00' },
    });
  });

  test('when the card is below zero', async () => {
    const card = await payingCard(app, { spendLimit: 10 });
    await card.clear(await card.hold('10.00'), '15.00');
    expect(await partly(card, '10.00')).toMatchObject({ approved: false, decline_code: '51' });
  });

  test('when only the fee would fit', async () => {
    const card = await payingCard(app, { spendLimit: 3 }, await ownProgram(app, { atm_fee_minor: 300 }));
    expect(await partly(card, '10.00', { channel: 'ATM' })).toMatchObject({
      approved: false,
      decline_code: '51',
    });
    expect(await card.available()).toBe(3);
  });

  type Prepare = (card: PayingCard) => Promise<Record<string, unknown>>;
  const acted =
    (action: string): Prepare =>
    async ({ id }) => {
      await act(app, id, action);
      return {};
    };
  test.each<[what: string, decline_code: string, Prepare]>([
    ['a frozen card', 'R1', acted('freeze')],
    ['a blocked card', 'R8', acted('block: lost')],
    ['an old number', '14', acted('reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE')],
    ['a wrong expiry', '54', async () => ({ expiry: '2020-01' })],
    ['a wrong CVV', 'N7', async ({ wrongCvv }) => ({ cvv: wrongCvv })],
    [
      'a category that is not allowed',
      'R19',
      async (card) => {
        await card.setControls({ blockedMccs: ['5814'] });
        return {};
      },
    ],
  ])(
    'for another decline, even if the amount is too large as well: %s',
    async (_what, decline_code, prepare) => {
      const card = await payingCard(app, { spendLimit: 60 });
      const changes = await prepare(card);
      expect(await partly(card, '100.00', changes)).toMatchObject({ approved: false, decline_code });
      expect(await card.available()).toBe(60);
    },
  );
});
