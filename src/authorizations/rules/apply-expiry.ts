import { newId } from '../../kernel/ids.ts';
import { release } from './apply-reversal.ts';
import type { CardFacts } from './card-facts.ts';
import type { Outcome, Setting } from './effects.ts';
import { holdTransfers } from './movements.ts';
import { amountOf, eventView, feesOn, holdOf, type TransactionRecord } from './transaction.ts';

const MS_PER_DAY = 86_400_000;

/** Before this moment a hold has lived its time. */
export const holdsExpireBefore = (holdDays: number, nowMs: number): number => nowMs - holdDays * MS_PER_DAY;

/** Lets an old hold go, and answers whether it was old enough. It still counts as approved in the card's limits; a late clearing finds no hold and clears. */
export function applyExpiry(
  facts: { card: CardFacts; transaction: TransactionRecord },
  { program, nowMs }: Setting,
): Outcome<boolean> {
  const { card, transaction: before } = facts;
  const due = before.createdAt.getTime() < holdsExpireBefore(program.holdDays, nowMs);
  if (before.heldMinor === 0n) return { answer: true, transfers: [] };
  if (!due) return { answer: false, transfers: [] };
  const transaction = release(before, before.heldMinor);
  const event = {
    id: newId(nowMs),
    name: 'authorization.expired' as const,
    data: eventView(
      transaction,
      {
        messageId: before.externalTransactionId,
        amountMinor: amountOf(before, before.heldMinor),
        currency: before.currency,
        billAmountMinor: before.heldMinor,
      },
      feesOn(before, before.heldMinor),
    ),
  };
  const releasedMinor = holdOf(before);
  return {
    answer: true,
    card: { ...card, availableMinor: card.availableMinor + releasedMinor },
    transaction,
    event,
    transfers: holdTransfers(event.id, card.cardId, -releasedMinor),
  };
}
