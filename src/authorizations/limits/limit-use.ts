import type { CardRecord } from '../../cards/card.ts';
import type { Spending } from '../../cards/card-facts.ts';
import { limitsAt } from '../../cards/temporary-limits.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { resetOf, SPEND_LIMITS, type SpendLimit, USES } from '../core/spend-limits.ts';

/** `used + remaining = limit`, always: a clearing above its hold can leave less than nothing. */
interface Use {
  limitMinor: bigint;
  usedMinor: bigint;
  remainingMinor: bigint;
  resetsAt: string | null;
}

type LimitedCard = Pick<CardRecord, 'transactionLimitMinor' | `${SpendLimit}Minor` | 'temporaryLimits'> &
  Spending;

/** What is used of each limit of a card at a time. Null: there is no such limit. */
export function usesOf(card: LimitedCard, nowMs: number): Record<SpendLimit, Use | null> {
  const today = dayOf(nowMs);
  const limited = limitsAt(card, nowMs);
  const uses = SPEND_LIMITS.map((name) => {
    const [limitMinor, usedMinor] = USES[name](limited, today);
    if (limitMinor === null) return [name, null];
    const resetsAt = resetOf(name, today);
    return [name, { limitMinor, usedMinor, remainingMinor: limitMinor - usedMinor, resetsAt }];
  });
  return Object.fromEntries(uses);
}
