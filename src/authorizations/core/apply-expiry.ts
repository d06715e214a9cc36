import type { CardFacts } from '../../cards/card-facts.ts';
import { release } from './apply-reversal.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import { isHoldOver } from './hold-days.ts';
import { settle } from './settle.ts';
import { heldFees, type TransactionRecord } from './transaction.ts';

/**
 * Releases an expired hold, and responds whether it had expired. A late clearing finds no hold and clears. A credit that no
 * refund has followed expires too: it holds nothing.
 */
export function applyExpiry(
  { card, transaction: before }: { card: CardFacts; transaction: TransactionRecord },
  setting: Setting,
): Effects<boolean> {
  const { status, heldMinor, heldAmountMinor, currency, createdAt, renewedAt } = before;
  if (status !== 'PENDING') return { response: true, transfers: [] };
  const sinceMs = (renewedAt ?? createdAt).getTime();
  if (!isHoldOver(setting.program, before, sinceMs, setting.nowMs)) return { response: false, transfers: [] };
  const transaction = { ...release(before, heldMinor), holdEnd: 'expired' as const };
  const moved = {
    messageId: before.externalTransactionId,
    amountMinor: heldAmountMinor,
    currency,
    billAmountMinor: heldMinor,
  };
  const event = newEvent('authorization.expired', setting, transaction, moved, heldFees(before));
  return { response: true, transaction, event, ...settle(event.id, card, before, transaction, setting) };
}
