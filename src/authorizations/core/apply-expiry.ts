import type { CardFacts } from '../../cards/card-facts.ts';
import { release } from './apply-reversal.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import { holdsExpireBefore } from './hold-days.ts';
import { settle } from './settle.ts';
import { amountOf, heldFees, type TransactionRecord } from './transaction.ts';

/**
 * Releases an expired hold, and responds whether it had expired. A late clearing finds no hold and clears.
 */
export function applyExpiry(
  { card, transaction: before }: { card: CardFacts; transaction: TransactionRecord },
  setting: Setting,
): Effects<boolean> {
  const { heldMinor, currency, acceptor } = before;
  if (heldMinor === 0n) return { response: true, transfers: [] };
  const endMs = holdsExpireBefore(setting.program, acceptor, setting.nowMs);
  if (before.createdAt.getTime() >= endMs) return { response: false, transfers: [] };
  const transaction = release(before, heldMinor);
  const moved = {
    messageId: before.externalTransactionId,
    amountMinor: amountOf(before, heldMinor),
    currency,
    billAmountMinor: heldMinor,
  };
  const event = newEvent('authorization.expired', setting, transaction, moved, heldFees(before));
  return { response: true, transaction, event, ...settle(event.id, card, before, transaction, setting) };
}
