import { describe, expect, test } from 'vitest';
import {
  APPROVAL,
  abroad,
  balancesOf,
  clearingOf,
  DECLINE,
  fund,
  incrementOf,
  networkApp,
  newMessageId,
  ownProgram,
  type PayingCard,
  payingCard,
  refundOf,
  STORED_MERCHANT,
  send,
  setTerms,
} from '../../support/cards/network.ts';
import { setClock } from '../../support/server/clock.ts';

const app = networkApp();

/** What a reversal of the whole hold releases: all that is held. */
const heldBy = async (card: PayingCard, id: string): Promise<string> => (await card.reverse(id)).bill_amount;

describe('an approved increment', () => {
  test('raises the hold: response, credit, ledger, list and event', async () => {
    const card = await payingCard(app, {}, await ownProgram(app));
    const approval = await card.authorize('100.00');
    const id = approval.external_transaction_id;
    const request = incrementOf(card, id, '20.00');
    const { status, body } = await card.send('increments', request);
    expect([status, body]).toEqual([
      200,
      {
        ...APPROVAL,
        increment_id: request.increment_id,
        transaction_id: approval.transaction_id,
        external_transaction_id: id,
        approval_code: approval.approval_code,
        bill_amount: '20.00',
      },
    ]);
    expect(await card.available()).toBe(130);
    expect(await card.balances()).toEqual({
      master: -12_000n,
      holds: 12_000n,
      credit: -13_000n,
    });
    expect(await card.transactions()).toMatchObject([
      { id: approval.transaction_id, status: 'PENDING', amount: '120.00', bill_amount: 120 },
    ]);
    expect((await card.events()).at(-1)).toMatchObject({
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
    const cleared = await card.send('clearings', clearingOf(card, id, '120.00'));
    expect(cleared.body.status).toBe('CLEARED');
    expect(await card.available()).toBe(130);
  });
});

describe('a declined increment leaves the hold as it was', () => {
  type Prepare = (card: PayingCard) => Promise<unknown>;
  const TABLE: Array<[what: string, code: string, reason: string, networkCode: string, Prepare, string?]> = [
    ['no funds', '51', 'insufficient_funds', '51', async () => {}, '190.01'],
    ['daily limit', 'R6', 'daily_limit', '61', (c) => limit(c, { dailyLimit: 84.99 })],
    [
      'merchant category',
      'R19',
      'merchant_category_not_allowed',
      '57',
      (c) => limit(c, { blockedMccs: ['5814'] }),
    ],
    ['frozen card', 'R1', 'card_frozen', '62', (c) => c.act('freeze')],
    ['blocked card', 'R8', 'card_blocked', '41', (c) => c.act('block: lost')],
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
  const limit = (card: PayingCard, body: object) => card.setControls(body);

  test.each(TABLE)(
    '%s: %s %s',
    async (_what, decline_code, reason, network_code, prepare, amount = '25.00') => {
      const card = await payingCard(app, {}, await ownProgram(app));
      const approval = await card.authorize('60.00');
      const id = approval.external_transaction_id;
      await prepare(card);
      const [money, books] = [await card.available(), await card.balances()];
      const request = incrementOf(card, id, amount);
      const { status, body } = await card.send('increments', request);
      const codes = { decline_code, decline_reason: reason, network_code };
      expect([status, body]).toEqual([
        200,
        {
          ...DECLINE,
          increment_id: request.increment_id,
          transaction_id: approval.transaction_id,
          external_transaction_id: id,
          ...codes,
          bill_amount: amount,
        },
      ]);
      expect([await card.available(), await card.balances()]).toEqual([money, books]);
      expect(await card.transactions()).toMatchObject([
        { status: 'PENDING', amount: '60.00', bill_amount: 60 },
      ]);
      const event = (await card.events()).findLast(({ name }) => !name.startsWith('card.'));
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
    ['reversed', (card, id) => card.reverse(id), 'VOID'],
    ['finally cleared', (card, id) => card.send('clearings', clearingOf(card, id, '10.00')), 'CLEARED'],
    ['expired', ({ owner }) => setClock(app, '2095-01-18T12:00:00Z', owner.key), 'VOID'],
  ];
  test.each(CLOSED)('a hold that was %s stays closed', async (_what, close, status) => {
    const owner = await ownProgram(app);
    await setClock(app, '2095-01-10T12:00:00Z', owner.key);
    const card = await payingCard(app, {}, owner);
    const id = await card.hold('60.00');
    await close(card, id);
    const money = await card.available();
    expect(await card.increment(id, '5.00')).toMatchObject({
      approved: false,
      decline_code: '12',
      decline_reason: 'hold_closed',
      network_code: '12',
      approval_code: null,
    });
    expect([await card.available(), (await balancesOf(app, owner))['holds']]).toEqual([money, undefined]);
    expect(await card.transactions()).toMatchObject([{ status }]);
  });
});

describe('a repeated increment', () => {
  test('twenty concurrent increments take no more than the card has', async () => {
    const card = await payingCard(app, { spendLimit: 20 });
    const id = await card.hold('10.00');
    const answers = await Promise.all(Array.from({ length: 20 }, () => card.increment(id, '1.00')));
    expect(answers.filter(({ approved }) => approved)).toHaveLength(10);
    expect(await card.available()).toBe(0);
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
    ['zero', { amount: '0.00' }, 'amount: must be greater than 0'],
    [
      'a bill amount that differs',
      { bill_amount: '5.01' },
      "bill_amount: must equal amount in the card's currency, EUR",
    ],
  ])('%s: 400, nothing changes, and its id stays free', async (_what, changes, message) => {
    const card = await payingCard(app);
    const request = incrementOf(card, await card.hold('10.00'), '5.00');
    await card.refuse('increments', { ...request, ...changes }, message);
    expect(await card.available()).toBe(240);
    expect((await card.send('increments', request)).body).toMatchObject({ approved: true });
  });

  test("another program's purchase is unknown", async () => {
    const card = await payingCard(app);
    const request = incrementOf(card, await card.hold('10.00'), '5.00');
    const { status, body } = await send(app, 'increments', request, await ownProgram(app));
    expect([status, body.message]).toEqual([
      400,
      'external_transaction_id: is not a purchase in this program',
    ]);
    expect(await card.available()).toBe(240);
  });

  test('a purchase of which only a reversal is known: 400', async () => {
    const card = await payingCard(app);
    const id = newMessageId('early');
    await card.reverse(id);
    const { status, body } = await card.send('increments', incrementOf(card, id, '5.00'));
    expect([status, body.message]).toEqual([
      400,
      'external_transaction_id: is not a purchase in this program',
    ]);
  });

  test('the id of a refund: 409', async () => {
    const card = await payingCard(app);
    const refund = refundOf(card, '5.00', { card_number: card.number });
    await card.send('refunds', refund);
    const { status, body } = await card.send('increments', incrementOf(card, refund.refund_id, '5.00'));
    expect([status, body.message]).toEqual([409, 'external_transaction_id: is the id of a refund']);
  });
});
