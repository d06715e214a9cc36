import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { halfEvenShare } from '../../../test/model/half-even.ts';
import { CARD_ID } from '../../../test/support/cards/authorization-facts.ts';
import { ACCOUNTS, nameOfAccount } from '../../ledger/accounts.ts';
import { deltasOf, type Transfer } from '../../ledger/transfer.ts';
import { NO_FEES } from '../../programs/program.ts';
import { clearingTransfers, holdTransfers, refundTransfers } from './movements.ts';

/** `code: from -> to amount`, readable for review. */
const told = (transfers: readonly Transfer[]): string[] =>
  transfers.map(({ code, debitAccountId, creditAccountId, amountMinor }) => {
    const name = (id: string) => (id === CARD_ID ? 'card' : nameOfAccount(id));
    return `${code}: ${name(debitAccountId)} -> ${name(creditAccountId)} ${amountMinor}`;
  });

describe('accounts of each movement', () => {
  test('a hold debits the card and the master account', () => {
    expect(told(holdTransfers('m', CARD_ID, 25n))).toEqual([
      'credit_hold: card -> credit 25',
      'hold: master -> holds 25',
    ]);
  });

  test('a release credits both again', () => {
    expect(told(holdTransfers('m', CARD_ID, -25n))).toEqual([
      'credit_release: credit -> card 25',
      'release: holds -> master 25',
    ]);
  });

  test('a clearing spends the hold, and books revenue and cost', () => {
    const terms = { ...NO_FEES, interchangeBps: 150, transactionCostMinor: 7n, transactionCostBps: 20 };
    expect(told(clearingTransfers('m', 10_000n, { fxMinor: 250n, atmMinor: 300n }, terms))).toEqual([
      'clearing: holds -> settlement 10000',
      'fx_fee: holds -> fxRevenue 250',
      'atm_fee: holds -> atmRevenue 300',
      'interchange: settlement -> interchangeRevenue 150',
      'transaction_cost: transactionCost -> payable 27',
    ]);
  });

  test('a refund credits the card and the master account from the settlement account', () => {
    expect(told(refundTransfers('m', CARD_ID, 25n))).toEqual([
      'credit_refund: credit -> card 25',
      'refund: settlement -> master 25',
    ]);
  });

  test('all transfers of a message have its movement id', () => {
    const all = [
      ...holdTransfers('m-1', CARD_ID, 1n),
      ...holdTransfers('m-1', CARD_ID, -1n),
      ...clearingTransfers('m-1', 1n, { fxMinor: 1n, atmMinor: 1n }, NO_FEES),
      ...refundTransfers('m-1', CARD_ID, 1n),
    ];
    expect(new Set(all.map(({ movementId }) => movementId))).toEqual(new Set(['m-1']));
  });
});

const amount = fc.bigInt({ min: 0n, max: 10n ** 15n });
const rate = fc.nat(10_000);

test('for any amounts, no transfer is negative, and revenue and cost are rounded half to even', () => {
  fc.assert(
    fc.property(
      amount,
      amount,
      amount,
      amount,
      rate,
      rate,
      (bill, fxMinor, atmMinor, fixed, interchange, cost) => {
        const terms = {
          ...NO_FEES,
          interchangeBps: interchange,
          transactionCostMinor: fixed,
          transactionCostBps: cost,
        };
        const transfers = clearingTransfers('m', bill, { fxMinor, atmMinor }, terms);
        expect(transfers.every(({ amountMinor }) => amountMinor >= 0n)).toBe(true);
        const deltas = deltasOf(transfers);
        expect([...deltas.values()].reduce((sum, delta) => sum + delta, 0n)).toBe(0n);
        expect(deltas.get(ACCOUNTS.holds)).toBe(-(bill + fxMinor + atmMinor));
        expect(deltas.get(ACCOUNTS.interchangeRevenue)).toBe(halfEvenShare(bill, interchange));
        expect(deltas.get(ACCOUNTS.settlement)).toBe(bill - halfEvenShare(bill, interchange));
        // A clearing of zero has no cost.
        expect(deltas.get(ACCOUNTS.payable)).toBe(bill === 0n ? 0n : fixed + halfEvenShare(bill, cost));
      },
    ),
  );
});

test('a release reverses its hold exactly', () => {
  fc.assert(
    fc.property(amount, (held) => {
      const transfers = [...holdTransfers('m', CARD_ID, held), ...holdTransfers('m', CARD_ID, -held)];
      expect(transfers.every(({ amountMinor }) => amountMinor >= 0n)).toBe(true);
      expect([...deltasOf(transfers).values()]).toEqual([0n, 0n, 0n, 0n]);
    }),
  );
});
