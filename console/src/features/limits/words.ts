import type { DeclineLimits } from '../../lib/types.ts';

export type LimitName = NonNullable<DeclineLimits['limit']>;
/** Those that can be raised for a time. */
export const RAISABLE = ['transactionLimit', 'dailyLimit', 'monthlyLimit'] as const;
export type RaisableLimit = (typeof RAISABLE)[number];

export const LIMIT_WORDS: Record<LimitName, string> = {
  transactionLimit: 'Per-transaction limit',
  dailyLimit: 'Daily limit',
  monthlyLimit: 'Monthly limit',
  allTimeLimit: 'Lifetime limit',
};
