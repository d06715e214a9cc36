import { basisPoints } from '../../kernel/money.ts';
import { ACCOUNTS } from '../../ledger/accounts.ts';
import type { Transfer, TransferCode } from '../../ledger/transfer.ts';
import type { FeeSchedule } from '../../programs/program.ts';

/** The ledger transfers of each message. Posting drops amounts of zero. */

const move = (
  movementId: string,
  code: TransferCode,
  debitAccountId: string,
  creditAccountId: string,
  amountMinor: bigint,
): Transfer => ({ movementId, code, debitAccountId, creditAccountId, amountMinor });

/** Holds money of the card's credit and of the master account; a negative amount releases it. */
export function holdTransfers(movementId: string, cardId: string, amountMinor: bigint): Transfer[] {
  if (amountMinor < 0n)
    return [
      move(movementId, 'credit_release', ACCOUNTS.credit, cardId, -amountMinor),
      move(movementId, 'release', ACCOUNTS.holds, ACCOUNTS.master, -amountMinor),
    ];
  return [
    move(movementId, 'credit_hold', cardId, ACCOUNTS.credit, amountMinor),
    move(movementId, 'hold', ACCOUNTS.master, ACCOUNTS.holds, amountMinor),
  ];
}

/** Spends the hold, and books what the program earns and pays for the clearing. */
export function clearingTransfers(
  movementId: string,
  billMinor: bigint,
  fees: { fxMinor: bigint; atmMinor: bigint },
  terms: FeeSchedule,
): Transfer[] {
  const fixedMinor = billMinor > 0n ? terms.transactionCostMinor : 0n;
  const costMinor = fixedMinor + basisPoints(billMinor, terms.transactionCostBps);
  const interchangeMinor = basisPoints(billMinor, terms.interchangeBps);
  return [
    move(movementId, 'clearing', ACCOUNTS.holds, ACCOUNTS.settlement, billMinor),
    move(movementId, 'fx_fee', ACCOUNTS.holds, ACCOUNTS.fxRevenue, fees.fxMinor),
    ...atmFeeTransfers(movementId, fees.atmMinor),
    move(movementId, 'interchange', ACCOUNTS.settlement, ACCOUNTS.interchangeRevenue, interchangeMinor),
    move(movementId, 'transaction_cost', ACCOUNTS.transactionCost, ACCOUNTS.payable, costMinor),
  ];
}

export const atmFeeTransfers = (movementId: string, feeMinor: bigint): Transfer[] => [
  move(movementId, 'atm_fee', ACCOUNTS.holds, ACCOUNTS.atmRevenue, feeMinor),
];

export const refundTransfers = (movementId: string, cardId: string, billMinor: bigint): Transfer[] => [
  move(movementId, 'credit_refund', ACCOUNTS.credit, cardId, billMinor),
  move(movementId, 'refund', ACCOUNTS.settlement, ACCOUNTS.master, billMinor),
];
