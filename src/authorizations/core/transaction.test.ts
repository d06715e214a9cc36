import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { halfEvenShare } from '../../../test/model/half-even.ts';
import { CARD_ID, someMerchant, someTransaction } from '../../../test/support/cards/authorization-facts.ts';
import { MAX_AMOUNT_MINOR } from '../../kernel/money.ts';
import {
  authenticatedShareOf,
  chargedFees,
  eventView,
  heldFees,
  presentTransaction,
  settledStatus,
  type TransactionRecord,
  takenOf,
} from './transaction.ts';

describe('fees', () => {
  const abroad = { currency: 'USD', fxFeeBps: 250 };
  test.each<[string, Partial<TransactionRecord>, bigint, bigint]>([
    ['none agreed', {}, 0n, 0n],
    ['abroad', abroad, 25n, 0n],
    ['at home, whatever the rate', { fxFeeBps: 250 }, 0n, 0n],
    ['half a unit to the even side, down', { ...abroad, heldMinor: 20n }, 0n, 0n],
    ['half a unit to the even side, up', { ...abroad, heldMinor: 60n }, 2n, 0n],
    ['cash', { atmFeeMinor: 300n }, 0n, 300n],
    ['cash, a part cleared before', { atmFeeMinor: 300n, clearedMinor: 1n }, 0n, 0n],
    ['what remains of the fee on the whole', { ...abroad, heldMinor: 20n, fxClearedMinor: 20n }, 1n, 0n],
    ['nothing, also for cash', { ...abroad, atmFeeMinor: 300n, heldMinor: 0n }, 0n, 0n],
  ])('held: %s', (_name, changes, fxMinor, atmMinor) => {
    expect(heldFees(someTransaction(changes))).toEqual({ fxMinor, atmMinor });
  });

  test('charged: on what cleared abroad, and once for cash', () => {
    const terms = { ...abroad, atmFeeMinor: 300n, clearedMinor: 1_500n, fxClearedMinor: 1_000n };
    expect(chargedFees(someTransaction(terms))).toEqual({ fxMinor: 25n, atmMinor: 300n });
    expect(chargedFees(someTransaction({ ...terms, clearedMinor: 0n, fxClearedMinor: 0n }))).toEqual({
      fxMinor: 0n,
      atmMinor: 0n,
    });
  });

  test('taken: held and cleared amounts with their fees, in any parts', () => {
    const amount = fc.bigInt({ min: 0n, max: MAX_AMOUNT_MINOR });
    fc.assert(
      fc.property(
        amount,
        amount,
        fc.nat(10_000),
        amount,
        (heldMinor, clearedMinor, fxFeeBps, atmFeeMinor) => {
          const bill = heldMinor + clearedMinor;
          const parts = { heldMinor, clearedMinor, fxClearedMinor: clearedMinor };
          const terms = { currency: 'USD', billCurrency: 'EUR', fxFeeBps, atmFeeMinor };
          const fees = halfEvenShare(bill, fxFeeBps) + (bill > 0n ? atmFeeMinor : 0n);
          expect(takenOf({ ...terms, ...parts })).toBe(bill + fees);
        },
      ),
    );
  });
});

test.each([
  [0n, 0n, 'VOID'],
  [1n, 0n, 'PENDING'],
  [0n, 1n, 'CLEARED'],
  [1n, 1n, 'PENDING'],
] as const)('held %s, cleared %s: %s', (heldMinor, clearedMinor, status) => {
  expect(settledStatus({ heldMinor, clearedMinor })).toBe(status);
});

describe('the share of an authentication', () => {
  const usd = (clearedMinor: bigint, clearedAmountMinor: bigint): Partial<TransactionRecord> => ({
    ...{ clearedMinor, fxClearedMinor: clearedMinor, clearedAmountMinor, clearedCurrency: 'USD' },
  });
  // 11.00 USD for 10.00 EUR.
  const abroad = { currency: 'USD', amountMinor: 1_100n };
  test.each<[string, Partial<TransactionRecord>, bigint]>([
    ['held', {}, 1_000n],
    ['held after a partial reversal', { heldMinor: 400n }, 400n],
    ['held and cleared', { heldMinor: 300n, clearedMinor: 600n }, 900n],
    ['reversed', { heldMinor: 0n }, 0n],
    ['held abroad', abroad, 1_100n],
    ['held abroad in part, rounded up', { ...abroad, heldMinor: 333n }, 367n],
    ['cleared abroad at another rate', { ...abroad, heldMinor: 0n, ...usd(1_050n, 1_100n) }, 1_100n],
    ['cleared abroad in part', { ...abroad, heldMinor: 480n, ...usd(520n, 550n) }, 1_078n],
    [
      "cleared in the card's currency",
      { ...abroad, heldMinor: 0n, clearedMinor: 500n, clearedAmountMinor: 500n, clearedCurrency: 'EUR' },
      550n,
    ],
    ['cleared in both', { ...abroad, heldMinor: 0n, ...usd(500n, 540n), clearedMinor: 700n }, 770n],
  ])('%s', (_name, changes, minor) => {
    expect(authenticatedShareOf(someTransaction(changes))).toBe(minor);
  });
});

describe('the amounts that the merchant sees', () => {
  const cleared = (billMinor: bigint, amountMinor: bigint): Partial<TransactionRecord> => ({
    clearedMinor: billMinor,
    clearedAmountMinor: amountMinor,
    clearedCurrency: 'JPY',
  });
  test.each<[string, Partial<TransactionRecord>, number, string]>([
    ['a hold: the requested amount', {}, 10, '1500'],
    ['a partly cleared hold: the requested amount', { ...cleared(400n, 600n), heldMinor: 600n }, 10, '1500'],
    ['a decline: the requested amount', { status: 'DECLINED', heldMinor: 0n }, 10, '1500'],
    ['void: the requested amount', { status: 'VOID', heldMinor: 0n }, 10, '1500'],
    ['cleared: what cleared', { status: 'CLEARED', heldMinor: 0n, ...cleared(1_200n, 1_800n) }, 12, '1800'],
    ['a refund: below zero', { kind: 'refund', status: 'CLEARED', ...cleared(1_000n, 1_500n) }, -10, '-1500'],
  ])('%s', (_name, changes, bill_amount, amount) => {
    const abroad = { amountMinor: 1_500n, currency: 'JPY' };
    const shown = presentTransaction(someTransaction({ ...abroad, ...changes }), 'Ada');
    expect(shown).toMatchObject({ bill_amount, amount, currency: 'JPY' });
  });

  test('a purchase abroad has every documented field', () => {
    const held = { heldMinor: 931n, heldAmountMinor: 1_500n };
    const abroad = someTransaction({ amountMinor: 1_500n, currency: 'JPY', billAmountMinor: 931n, ...held });
    expect(presentTransaction(abroad, 'Ada Lovelace')).toEqual({
      id: abroad.id,
      external_transaction_id: 'net-1',
      card_id: CARD_ID,
      bill_amount: 9.31,
      bill_currency: 'EUR',
      cardholder_name: 'Ada Lovelace',
      amount: '1500',
      currency: 'JPY',
      status: 'PENDING',
      created: '2030-05-15T12:00:00+0000',
    });
  });

  test('a refund is negative in both currencies', () => {
    const refund = someTransaction({ kind: 'refund', amountMinor: 1n, currency: 'KWD', status: 'CLEARED' });
    expect(presentTransaction(refund, 'Ada')).toMatchObject({ bill_amount: -10, amount: '-0.001' });
  });

  test.each([
    ['JPY', 999_999_999_999_999, '999999999999999'],
    ['EUR', 9_999_999_999_999.99, '9999999999999.99'],
    ['KWD', 999_999_999_999.999, '999999999999.999'],
    ['CLF', 99_999_999_999.9999, '99999999999.9999'],
  ])('the largest amount in %s is exact as a number and as text', (currency, bill_amount, amount) => {
    const money = { amountMinor: MAX_AMOUNT_MINOR, billAmountMinor: MAX_AMOUNT_MINOR };
    const held = { heldMinor: MAX_AMOUNT_MINOR, heldAmountMinor: MAX_AMOUNT_MINOR };
    const largest = someTransaction({ ...money, ...held, currency, billCurrency: currency });
    expect(presentTransaction(largest, 'Ada')).toMatchObject({ bill_amount, amount });
  });
});

test('an event contains the amounts of its own message', () => {
  const declined = someTransaction({
    status: 'DECLINED',
    declineReason: 'insufficient_funds',
    networkCode: '51',
    approvalCode: null,
    parentId: 'parent-1',
  });
  const moved = { messageId: 'clr-7', amountMinor: 333n, currency: 'JPY', billAmountMinor: 250n };
  const fees = { fxMinor: 5n, atmMinor: 200n };
  expect(eventView({ ...declined, fxFeeBps: 200 }, moved, fees)).toEqual({
    transaction_id: declined.id,
    external_transaction_id: 'net-1',
    card_id: CARD_ID,
    message_id: 'clr-7',
    status: 'DECLINED',
    amount: '333',
    currency: 'JPY',
    bill_amount: '2.50',
    bill_currency: 'EUR',
    fx_fee: '0.05',
    fx_fee_bps: 200,
    atm_fee: '2.00',
    taken_amount: '10.00',
    channel: 'POS',
    merchant: someMerchant,
    decline_code: '51',
    decline_reason: 'insufficient_funds',
    network_code: '51',
    approval_code: null,
    parent_transaction_id: 'parent-1',
    authorization_mode: 'STANDARD',
    network: null,
  });
  expect(eventView(someTransaction(), moved, fees)).toMatchObject({
    bill_amount: '2.50',
    decline_code: null,
    decline_reason: null,
  });
});

test.each<[string, Partial<TransactionRecord>, string]>([
  ['a hold with its fees', { currency: 'USD', fxFeeBps: 250, atmFeeMinor: 300n }, '13.25'],
  ['a partly cleared hold', { heldMinor: 400n, clearedMinor: 700n }, '11.00'],
  ['nothing', { heldMinor: 0n }, '0.00'],
  ['a refund gives', { kind: 'refund', heldMinor: 0n, clearedMinor: 700n }, '-7.00'],
])('an event contains what its transaction takes after it: %s', (_name, changes, taken_amount) => {
  const moved = { messageId: 'clr-7', amountMinor: 333n, currency: 'JPY', billAmountMinor: 250n };
  const view = eventView(someTransaction(changes), moved, { fxMinor: 5n, atmMinor: 200n });
  expect(view).toMatchObject({ taken_amount });
});
