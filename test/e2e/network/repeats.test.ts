import { expect, test } from 'vitest';
import {
  abroad,
  authorizationOf,
  clearingOf,
  incrementOf,
  MERCHANT,
  type NetworkPath,
  networkApp,
  newMessageId,
  type PayingCard,
  payingCard,
  refundOf,
  reversalOf,
} from '../../support/cards/network.ts';

/** A message counts once by its id: copies get the first response, and another request with the id is refused. */

const app = networkApp();

type Request = Record<string, unknown>;
interface Kind {
  path: NetworkPath;
  /** The field with the message's own id. */
  id: string;
  request: (card: PayingCard) => Request | Promise<Request>;
  /** What the card has left of 250.00 after the message, and its events. */
  left: number;
  events: string[];
  /** Each makes a different request of it. The first card has no part in those of `other`. */
  differences?: (
    card: PayingCard,
    other: PayingCard,
  ) => Record<string, Request> | Promise<Record<string, Request>>;
  /** The same content, written differently. */
  sames?: (card: PayingCard) => Request[];
}

const USD = (amount: string, bill: string) => abroad(amount, 'USD', bill);
const cleared = async (card: PayingCard): Promise<string> =>
  (await card.clear(await card.hold('10.00'), '10.00')).clearing_id;

const KINDS: Record<string, Kind> = {
  authorization: {
    path: 'authorizations',
    id: 'external_transaction_id',
    request: (card) => authorizationOf(card, '', { cvv: card.cvv, ...USD('11.00', '10.00') }),
    left: 240,
    events: ['authorization'],
    differences: (_card, other) => ({
      amount: { amount: '11.01' },
      currency: { currency: 'GBP' },
      bill_amount: { bill_amount: '9.99' },
      expiry: { expiry: '2031-01' },
      'expiry (none)': { expiry: null },
      'cvv (none)': { cvv: undefined },
      type: { type: 'CASH' },
      partial_approval: { partial_approval: true },
      channel: { channel: 'ECOMMERCE' },
      'merchant.id': { merchant: { ...MERCHANT, id: 'm-78' } },
      'merchant.mcc': { merchant: { ...MERCHANT, mcc: '5812' } },
      'another card': { card_number: other.number, expiry: other.expiry, cvv: other.cvv },
      'no card': { card_number: '9999000000000000' },
    }),
    sames: () => [
      { merchant: { ...MERCHANT, country: 'GBR' } },
      { merchant: { ...MERCHANT, country: 826 } },
      { merchant: { ...MERCHANT, name: 'Corner Tea', city: 'Leeds', country: 'IE' } },
      { amount: '11', bill_amount: '10.0', bill_currency: undefined },
      { type: 'PURCHASE', partial_approval: false },
      { initiator: 'MERCHANT', recurring: true, entry_mode: 'NFC_RING', terminal_id: 'T-1' },
    ],
  },
  advice: {
    path: 'authorizations',
    id: 'advice_id',
    request: (card) =>
      authorizationOf(card, '10.00', { stand_in: { approved: true }, advice_id: newMessageId('adv') }),
    left: 240,
    events: ['authorization'],
    differences: (_card, other) => ({
      amount: { amount: '10.01' },
      approved: { stand_in: { approved: false } },
      external_transaction_id: { external_transaction_id: 'net-other' },
      'another card': { card_number: other.number },
    }),
    sames: () => [{ stand_in: { approved: true, reason: 'issuer unavailable', approval_code: 'A1' } }],
  },
  'declined authorization': {
    path: 'authorizations',
    id: 'external_transaction_id',
    request: (card) => authorizationOf(card, '250.01'),
    left: 250,
    events: ['authorization.declined'],
  },
  increment: {
    path: 'increments',
    id: 'increment_id',
    request: async (card) =>
      incrementOf(card, await card.hold('', USD('11.00', '10.00')), '', USD('5.50', '5.00')),
    left: 235,
    events: ['authorization', 'authorization.increment'],
    differences: () => ({
      amount: { amount: '5.51' },
      bill_amount: { bill_amount: '5.01' },
      external_transaction_id: { external_transaction_id: 'net-other' },
    }),
    sames: () => [{ entry_mode: 'STORED' }],
  },
  'declined increment': {
    path: 'increments',
    id: 'increment_id',
    request: async (card) => incrementOf(card, await card.hold('10.00'), '240.01'),
    left: 240,
    events: ['authorization', 'authorization.declined'],
  },
  reversal: {
    path: 'reversals',
    id: 'reversal_id',
    request: async (card) => reversalOf(await card.hold('10.00'), { bill_amount: '4.00' }),
    left: 244,
    events: ['authorization', 'authorization.reversal'],
    differences: () => ({
      bill_amount: { bill_amount: '4.01' },
      'no bill_amount': { bill_amount: undefined },
      reason: { bill_amount: undefined, reason: 'TIMEOUT' },
      increment_id: { increment_id: 'inc-other' },
      external_transaction_id: { external_transaction_id: 'net-other' },
    }),
    sames: () => [
      { bill_amount: '4', bill_currency: 'EUR' },
      { bill_amount: undefined, amount: '4.00', currency: 'EUR' },
    ],
  },
  'reversal before its authorization': {
    path: 'reversals',
    id: 'reversal_id',
    request: () => reversalOf(newMessageId('early'), { bill_amount: '4.00' }),
    left: 250,
    events: [],
  },
  clearing: {
    path: 'clearings',
    id: 'clearing_id',
    request: async (card) =>
      clearingOf(card, await card.hold('10.00'), '', { ...USD('4.40', '4.00'), final: false }),
    left: 240,
    events: ['authorization', 'authorization.clearing'],
    differences: (_card, other) => ({
      amount: { amount: '4.41' },
      bill_amount: { bill_amount: '4.01' },
      currency: { currency: 'GBP' },
      'another card': { card_number: other.number },
      'no card': { card_number: '9999000000000000' },
      final: { final: true },
      external_transaction_id: { external_transaction_id: 'net-other' },
    }),
    sames: (card) => [
      { channel: 'POS', merchant: MERCHANT },
      { card_number: card.number },
      { arn: '24692166324100000000042', settlement_date: '2026-11-17', interchange_amount: '0.10' },
    ],
  },
  'clearing of an unknown number': {
    path: 'clearings',
    id: 'clearing_id',
    request: (card) => clearingOf(card, newMessageId('stray'), '10.00', { card_number: '9999000000000000' }),
    left: 250,
    events: [],
    differences: (card) => ({
      amount: { amount: '10.01', bill_amount: '10.01' },
      'a card': { card_number: card.number },
      'another unknown number': { card_number: '9999000000000018' },
    }),
    sames: () => [{ channel: 'POS', merchant: MERCHANT }],
  },
  'clearing without authorization': {
    path: 'clearings',
    id: 'clearing_id',
    request: (card) => clearingOf(card, newMessageId('offline'), '10.00', { card_number: card.number }),
    left: 240,
    events: ['authorization.clearing'],
    differences: (_card, other) => ({ 'another card': { card_number: other.number } }),
    sames: () => [{ card_number: undefined }, { channel: 'ATM' }],
  },
  refund: {
    path: 'refunds',
    id: 'refund_id',
    request: async (card) => {
      const external_transaction_id = await card.hold('10.00');
      await card.clear(external_transaction_id, '10.00');
      return refundOf(card, '5.00', { external_transaction_id });
    },
    left: 245,
    events: ['authorization', 'authorization.clearing', 'refund'],
  },
  'refund without a known purchase': {
    path: 'refunds',
    id: 'refund_id',
    request: (card) => refundOf(card, '', { card_number: card.number, ...USD('5.50', '5.00') }),
    left: 255,
    events: ['refund'],
    differences: (_card, other) => ({
      amount: { amount: '5.51' },
      bill_amount: { bill_amount: '5.01' },
      currency: { currency: 'GBP' },
      external_transaction_id: { external_transaction_id: 'net-other' },
      'another card': { card_number: other.number },
      'no card': { card_number: '9999000000000000' },
    }),
    sames: () => [{ channel: 'POS', merchant: MERCHANT, arn: '24692166324100000000043' }],
  },
  'reversal of a clearing': {
    path: 'reversals',
    id: 'reversal_id',
    request: async (card) => ({
      reversal_id: newMessageId('rev'),
      clearing_id: await cleared(card),
      bill_amount: '4.00',
    }),
    left: 244,
    events: ['authorization', 'authorization.clearing', 'authorization.clearing.reversal'],
    differences: async (card) => {
      const clearing_id = await cleared(card);
      return {
        bill_amount: { bill_amount: '4.01' },
        'no bill_amount': { bill_amount: undefined },
        clearing_id: { clearing_id },
        'name of the same id': { clearing_id: undefined, external_transaction_id: clearing_id },
      };
    },
  },
  'reversal of a refund': {
    path: 'reversals',
    id: 'reversal_id',
    request: async (card) => {
      const { refund_id } = await card.refund('10.00', { card_number: card.number });
      return { reversal_id: newMessageId('rev'), refund_id, bill_amount: '4.00' };
    },
    left: 256,
    events: ['refund', 'refund.reversal'],
  },
};

test.each(Object.entries(KINDS))(
  'twenty concurrent copies: one effect, one response (%s)',
  async (_name, kind) => {
    const card = await payingCard(app);
    const request = await kind.request(card);
    const answers = await Promise.all(Array.from({ length: 20 }, () => card.send(kind.path, request)));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect([await card.available(), await card.eventNames()]).toEqual([kind.left, kind.events]);

    // Whatever happens to the purchase and the card meanwhile, and although a decline would be approved now.
    await card.adjust(100);
    const { external_transaction_id: purchase } = request;
    if (typeof purchase === 'string' && kind.events[0] === 'authorization') await card.reverse(purchase);
    await card.act('block: stolen');
    const before = [await card.available(), await card.events()];
    const again = await card.send(kind.path, request);
    expect([again.status, again.body]).toEqual([200, answers[0]?.body]);
    expect([await card.available(), await card.events()]).toEqual(before);
  },
);

const rewritten = Object.entries(KINDS).filter(([, { sames }]) => sames);
test.each(rewritten)('the same content written differently is a repeat (%s)', async (_name, kind) => {
  const card = await payingCard(app);
  const request = await kind.request(card);
  const first = await card.send(kind.path, request);
  const before = [await card.available(), await card.events()];
  for (const change of kind.sames?.(card) ?? []) {
    const { status, body } = await card.send(kind.path, { ...request, ...change });
    expect([change, status, body]).toEqual([change, 200, first.body]);
  }
  expect([await card.available(), await card.events()]).toEqual(before);
});

const different = Object.entries(KINDS).filter(([, { differences }]) => differences);
test.each(different)('a different request with the id of another: 409 (%s)', async (_name, kind) => {
  const [card, other] = [await payingCard(app), await payingCard(app)];
  const request = await kind.request(card);
  await card.send(kind.path, request);
  const differences = Object.entries((await kind.differences?.(card, other)) ?? {});
  const before = [await card.available(), await card.events()];
  for (const [field, change] of differences) {
    const { status, body } = await card.send(kind.path, { ...request, ...change });
    const message = `${kind.id}: was already used with a different request`;
    expect([field, status, body]).toEqual([field, 409, { code: 409, message, status: 'failed' }]);
  }
  expect([await card.available(), await card.events()]).toEqual(before);
  expect([await other.available(), await other.transactions()]).toEqual([250, []]);
});
