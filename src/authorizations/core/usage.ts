import { merchantKey, type UsageRule, type Used } from '../../cards/usage.ts';
import type { TransactionRecord } from './transaction.ts';

type Purchase = Pick<TransactionRecord, 'kind' | 'heldMinor' | 'clearedMinor' | 'acceptor'>;

/** A purchase counts in its card's usage while something of it is held or has cleared. */
export const counts = ({ kind, heldMinor, clearedMinor }: Purchase): boolean =>
  kind === 'purchase' && (heldMinor > 0n || clearedMinor > 0n);

/** What is used of a card after a purchase has changed. `before` is undefined for a new purchase. */
export function recountUsed(used: Used, before: Purchase | undefined, after: Purchase): Used {
  const purchases = used.purchases + Number(counts(after)) - Number(before !== undefined && counts(before));
  if (purchases === 0) return { purchases, lockedTo: null };
  const merchantId = counts(after) ? after.acceptor?.id : undefined;
  return {
    purchases,
    lockedTo: used.lockedTo ?? (merchantId === undefined ? null : merchantKey(merchantId)),
  };
}

export type UsageRefusal = 'card_not_valid_now' | 'card_used' | 'merchant_locked';

const NONE: readonly UsageRefusal[] = [];

/**
 * Why the rule of the card declines a request. `wanted`: the purchase if it is approved; `known`: as it is. One that counts
 * is not counted again, and goes on where it is. One that would hold nothing, an account check, uses nothing.
 */
export function usageRefusals(
  { usage: rule, used }: { usage: UsageRule | null; used: Used | null },
  wanted: Purchase,
  known: Purchase | undefined,
  nowMs: number,
): readonly UsageRefusal[] {
  if (!rule || !used) return NONE;
  const { purchases, merchants, fromMs, untilMs } = rule;
  const counted = known !== undefined && counts(known);
  const allowed = merchants === 'FIRST' ? used.lockedTo && [used.lockedTo] : merchants;
  const refusals: Record<UsageRefusal, boolean> = {
    card_not_valid_now: (fromMs !== null && nowMs < fromMs) || (untilMs !== null && nowMs >= untilMs),
    card_used: !counted && wanted.heldMinor > 0n && purchases !== null && used.purchases >= purchases,
    merchant_locked:
      !counted && allowed !== null && !allowed.includes(merchantKey(wanted.acceptor?.id ?? '')),
  };
  return (Object.keys(refusals) as UsageRefusal[]).filter((refusal) => refusals[refusal]);
}
