import type { CardFacts } from '../../cards/card-facts.ts';
import { release } from './apply-reversal.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import { holdTransfers } from './movements.ts';
import { amountOf, feesOn, holdOf, type TransactionRecord } from './transaction.ts';

const MS_PER_DAY = 86_400_000;

/** A hold that was created before this moment has expired. */
export const holdsExpireBefore = (holdDays: number, nowMs: number): number => nowMs - holdDays * MS_PER_DAY;

/**
 * Releases an expired hold, and responds whether it had expired. The purchase still counts in the card's limits; a
 * late clearing finds no hold and clears.
 */
export function applyExpiry(
  { card, transaction: before }: { card: CardFacts; transaction: TransactionRecord },
  setting: Setting,
): Effects<boolean> {
  const { heldMinor, currency } = before;
  if (heldMinor === 0n) return { response: true, transfers: [] };
  const endMs = holdsExpireBefore(setting.program.holdDays, setting.nowMs);
  if (before.createdAt.getTime() >= endMs) return { response: false, transfers: [] };
  const transaction = release(before, heldMinor);
  const moved = {
    messageId: before.externalTransactionId,
    amountMinor: amountOf(before, heldMinor),
    currency,
    billAmountMinor: heldMinor,
  };
  const event = newEvent('authorization.expired', setting, transaction, moved, feesOn(before, heldMinor));
  const releasedMinor = holdOf(before);
  return {
    response: true,
    card: { ...card, availableMinor: card.availableMinor + releasedMinor },
    transaction,
    event,
    transfers: holdTransfers(event.id, card.cardId, -releasedMinor),
  };
}
