import { formatTimestamp } from '../kernel/calendar.ts';
import { amountToNumber } from '../kernel/money.ts';

export const TEMPORARY_LIMITS = ['transactionLimit', 'dailyLimit', 'monthlyLimit'] as const;
type LimitName = (typeof TEMPORARY_LIMITS)[number];

/** As the card's row stores them. JSON cannot represent a bigint. */
export type TemporaryLimits = Partial<Record<LimitName, { amountMinor: string; endsMs: number }>>;

type Limited = Record<`${LimitName}Minor`, bigint | null> & { temporaryLimits: TemporaryLimits };

/** The limits that apply at a time: a temporary limit counts until it ends, and never lowers. */
export function limitsAt<Card extends Limited>(card: Card, nowMs: number): Card {
  // Few cards have one.
  if (Object.keys(card.temporaryLimits).length === 0) return card;
  const raised = TEMPORARY_LIMITS.flatMap((name) => {
    const limitMinor = card[`${name}Minor`];
    const temporary = card.temporaryLimits[name];
    if (limitMinor === null || !temporary || temporary.endsMs <= nowMs) return [];
    const amountMinor = BigInt(temporary.amountMinor);
    return amountMinor > limitMinor ? [[`${name}Minor`, amountMinor]] : [];
  });
  return raised.length === 0 ? card : { ...card, ...Object.fromEntries(raised) };
}

/** Those that have not ended. */
export function presentTemporaryLimits(limits: TemporaryLimits, currency: string, nowMs: number) {
  const present = (name: LimitName) => {
    const limit = limits[name];
    if (!limit || limit.endsMs <= nowMs) return null;
    const amount = amountToNumber(BigInt(limit.amountMinor), currency);
    return { amount, endsAt: formatTimestamp(new Date(limit.endsMs)) };
  };
  return {
    transactionLimit: present('transactionLimit'),
    dailyLimit: present('dailyLimit'),
    monthlyLimit: present('monthlyLimit'),
  };
}
