import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CARD_ID } from '../../../test/support/cards/authorization-facts.ts';
import { nameOfAccount } from '../../ledger/accounts.ts';
import { deltasOf, type Transfer } from '../../ledger/transfer.ts';
import {
  clearedTransfers,
  costTransfer,
  holdTransfers,
  interchangeTransfer,
  refundTransfers,
} from './movements.ts';

/** `code: from -> to amount`, readable for review. */
const described = (transfers: readonly Transfer[]): string[] =>
  transfers.map(({ code, debitAccountId, creditAccountId, amountMinor }) => {
    const name = (id: string) => (id === CARD_ID ? 'card' : nameOfAccount(id));
    return `${code}: ${name(debitAccountId)} -> ${name(creditAccountId)} ${amountMinor}`;
  });

describe('accounts of each movement', () => {
  test('a hold debits the card and the master account', () => {
    expect(described(holdTransfers('m', CARD_ID, 25n))).toEqual([
      'credit_hold: card -> credit 25',
      'hold: master -> holds 25',
    ]);
  });

  test('a release credits both again', () => {
    expect(described(holdTransfers('m', CARD_ID, -25n))).toEqual([
      'credit_release: credit -> card 25',
      'release: holds -> master 25',
    ]);
  });

  test('a clearing spends the hold; what is taken back returns to it', () => {
    const fees = { fxMinor: 250n, atmMinor: 300n };
    expect(described(clearedTransfers('m', 10_000n, fees))).toEqual([
      'clearing: holds -> settlement 10000',
      'fx_fee: holds -> fxRevenue 250',
      'atm_fee: holds -> atmRevenue 300',
    ]);
    expect(described(clearedTransfers('m', -10_000n, { fxMinor: -250n, atmMinor: 0n }))).toEqual([
      'clearing: settlement -> holds 10000',
      'fx_fee: fxRevenue -> holds 250',
      'atm_fee: holds -> atmRevenue 0',
    ]);
  });

  test('revenue and cost', () => {
    expect(
      described([interchangeTransfer('m', 150n), interchangeTransfer('m', -150n), costTransfer('m', 27n)]),
    ).toEqual([
      'interchange: settlement -> interchangeRevenue 150',
      'interchange: interchangeRevenue -> settlement 150',
      'transaction_cost: transactionCost -> payable 27',
    ]);
  });

  test('a refund credits the card and the master account from the settlement account', () => {
    expect(described(refundTransfers('m', CARD_ID, 25n))).toEqual([
      'credit_refund: credit -> card 25',
      'refund: settlement -> master 25',
    ]);
    expect(described(refundTransfers('m', CARD_ID, -25n))).toEqual([
      'credit_refund: card -> credit 25',
      'refund: master -> settlement 25',
    ]);
  });
});

const amount = fc.bigInt({ min: 0n, max: 10n ** 15n });

test('a release reverses its hold exactly', () => {
  fc.assert(
    fc.property(amount, (held) => {
      const transfers = [...holdTransfers('m', CARD_ID, held), ...holdTransfers('m', CARD_ID, -held)];
      expect(transfers.every(({ amountMinor }) => amountMinor >= 0n)).toBe(true);
      expect([...deltasOf(transfers).values()]).toEqual([0n, 0n, 0n, 0n]);
    }),
  );
});
