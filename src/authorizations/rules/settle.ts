import type { CardFacts } from '../../cards/card-facts.ts';
import type { Transfer } from '../../ledger/transfer.ts';
import type { Setting } from './effects.ts';
import { clearedTransfers, holdTransfers } from './movements.ts';
import { recount } from './spending.ts';
import { chargedFees, lessFees, type TransactionRecord, takenOf, WITHOUT_FEES } from './transaction.ts';

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
): { card: CardFacts; transfers: Transfer[] } {
  const takenMinor = takenOf(after) - (before ? takenOf(before) : 0n);
  const clearedMinor = after.clearedMinor - (before?.clearedMinor ?? 0n);
  const fees = lessFees(chargedFees(after), before ? chargedFees(before) : WITHOUT_FEES);
  return {
    card: {
      ...card,
      ...recount(card, today, before?.counted ?? [], after.counted),
      availableMinor: card.availableMinor - takenMinor,
    },
    transfers: [
      ...holdTransfers(movementId, card.cardId, takenMinor),
      ...clearedTransfers(movementId, clearedMinor, fees),
    ],
  };
}
