import type { CardRecord } from '../../cards/card.ts';
import type { Spending } from '../../cards/card-facts.ts';
import { addMonths, type Day, dayEndMs, dayStartMs, formatTimestamp } from '../../kernel/calendar.ts';
import { spendingOn } from './spending.ts';

/** The limits on what is spent over a time. */
export const SPEND_LIMITS = ['dailyLimit', 'monthlyLimit', 'allTimeLimit'] as const;
export type SpendLimit = (typeof SPEND_LIMITS)[number];

/** The amount of a limit (null: none), and what counts in it: what is held and cleared, each on the day of its approval. */
export type LimitUse = readonly [limitMinor: bigint | null, usedMinor: bigint];

type LimitedCard = Pick<CardRecord, `${SpendLimit}Minor`> & Spending;

export const USES: Record<SpendLimit, (card: LimitedCard, today: Day) => LimitUse> = {
  dailyLimit: (card, today) => [card.dailyLimitMinor, spendingOn(card, today).daySpentMinor],
  monthlyLimit: (card, today) => [card.monthlyLimitMinor, spendingOn(card, today).monthSpentMinor],
  allTimeLimit: (card) => [card.allTimeLimitMinor, card.totalSpentMinor],
};

/** When a limit starts again; null: never. */
export function resetOf(limit: SpendLimit | 'transactionLimit', today: Day): string | null {
  if (limit === 'dailyLimit') return formatTimestamp(new Date(dayEndMs(today)));
  if (limit !== 'monthlyLimit') return null;
  return formatTimestamp(new Date(dayStartMs(addMonths(`${today.slice(0, 7)}-01`, 1))));
}
