import { ACCOUNTS } from '../../ledger/accounts.ts';
import type { Transfer, TransferCode } from '../../ledger/transfer.ts';
import type { Fees } from './transaction.ts';

/** The ledger transfers of each message. Posting drops amounts of zero. */

/** A negative amount moves back. */
const move = (
  movementId: string,
  code: TransferCode,
  from: string,
  to: string,
  amountMinor: bigint,
): Transfer =>
  amountMinor < 0n
    ? { movementId, code, debitAccountId: to, creditAccountId: from, amountMinor: -amountMinor }
    : { movementId, code, debitAccountId: from, creditAccountId: to, amountMinor };

/**
 * Holds money of the card's credit and of the master account; a negative amount releases it. Without a card, its credit
 * does not move.
 */
export const holdTransfers = (
  movementId: string,
  cardId: string | undefined,
  amountMinor: bigint,
): Transfer[] => [
  ...(cardId
    ? [
        move(
          movementId,
          amountMinor < 0n ? 'credit_release' : 'credit_hold',
          cardId,
          ACCOUNTS.credit,
          amountMinor,
        ),
      ]
    : []),
  move(movementId, amountMinor < 0n ? 'release' : 'hold', ACCOUNTS.master, ACCOUNTS.holds, amountMinor),
];

/** Spends what is held: on the network's bill and on the cardholder's fees. Negative amounts come back. */
export const clearedTransfers = (movementId: string, billMinor: bigint, fees: Fees): Transfer[] => [
  move(movementId, 'clearing', ACCOUNTS.holds, ACCOUNTS.settlement, billMinor),
  move(movementId, 'fx_fee', ACCOUNTS.holds, ACCOUNTS.fxRevenue, fees.fxMinor),
  move(movementId, 'atm_fee', ACCOUNTS.holds, ACCOUNTS.atmRevenue, fees.atmMinor),
];

/** Money of a card number that no card has; a negative amount takes it back. */
export const suspenseTransfer = (movementId: string, amountMinor: bigint): Transfer =>
  move(movementId, 'suspense', ACCOUNTS.suspense, ACCOUNTS.settlement, amountMinor);

/** What the program earns on a clearing, and gives back on a refund or a reversal. */
export const interchangeTransfer = (movementId: string, amountMinor: bigint): Transfer =>
  move(movementId, 'interchange', ACCOUNTS.settlement, ACCOUNTS.interchangeRevenue, amountMinor);

/** What the program pays for a clearing. */
export const costTransfer = (movementId: string, amountMinor: bigint): Transfer =>
  move(movementId, 'transaction_cost', ACCOUNTS.transactionCost, ACCOUNTS.payable, amountMinor);

/** A refund to the card and the master account; a negative amount takes it back. Without a card, as above. */
export const refundTransfers = (
  movementId: string,
  cardId: string | undefined,
  billMinor: bigint,
): Transfer[] => [
  ...(cardId ? [move(movementId, 'credit_refund', ACCOUNTS.credit, cardId, billMinor)] : []),
  move(movementId, 'refund', ACCOUNTS.settlement, ACCOUNTS.master, billMinor),
];
