import type { CardFacts } from '../../cards/card-facts.ts';
import type { Transfer } from '../../ledger/transfer.ts';
import type { Setting } from './effects.ts';
import { clearedTransfers, holdTransfers, refundTransfers } from './movements.ts';
import { recount } from './spending.ts';
import {
  chargedFees,
  lessFees,
  movesCredit,
  type TransactionRecord,
  takenOf,
  WITHOUT_FEES,
} from './transaction.ts';
import { recountUsed } from './usage.ts';

interface Settled {
  card: CardFacts;
  transfers: Transfer[];
}

/**
 * The card and the ledger after a message has changed a purchase: both follow from the purchase before and after it.
 * `before` is undefined for a new purchase.
 */
export function settle(
  movementId: string,
  card: CardFacts,
  before: TransactionRecord | undefined,
  after: TransactionRecord,
  { today }: Setting,
): Settled {
  const takenMinor = takenOf(after) - (before ? takenOf(before) : 0n);
  const clearedMinor = after.clearedMinor - (before?.clearedMinor ?? 0n);
  const fees = lessFees(chargedFees(after), before ? chargedFees(before) : WITHOUT_FEES);
  const credited = movesCredit(after) ? card.cardId : undefined;
  return {
    card: {
      ...card,
      ...recount(card, today, before?.counted ?? [], after.counted),
      used: card.used && recountUsed(card.used, before, after),
      heldMinor: card.heldMinor + after.heldMinor - (before?.heldMinor ?? 0n),
      availableMinor: card.availableMinor - (credited ? takenMinor : 0n),
    },
    transfers: [
      ...holdTransfers(movementId, credited, takenMinor),
      ...clearedTransfers(movementId, clearedMinor, fees),
    ],
  };
}

/** The same for a refund, or for a part of one that is taken back: a negative amount. */
export function settleRefund(
  movementId: string,
  card: CardFacts,
  refund: TransactionRecord,
  billMinor: bigint,
): Settled {
  const credited = movesCredit(refund) ? card.cardId : undefined;
  return {
    card: {
      ...card,
      refundedMinor: card.refundedMinor + billMinor,
      availableMinor: card.availableMinor + (credited ? billMinor : 0n),
    },
    transfers: refundTransfers(movementId, credited, billMinor),
  };
}
