import type { Static } from 'typebox';
import { MS_PER_DAY, parseTimestamp } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import { formatAmount, readAmount } from '../kernel/money.ts';
import type { CardRecord } from './card.ts';
import type { TemporaryLimitsBody } from './schema.ts';
import { TEMPORARY_LIMITS, type TemporaryLimits } from './temporary-limits.ts';

const MOST_DAYS = 90;

/** How far an operator's role may raise a limit: to a multiple of it, for a number of days. */
export interface TemporaryBounds {
  factor: number;
  days: number;
}

/** The limits after a change. Null ends a temporary limit; those that have ended are dropped. */
export function changeTemporaryLimits(
  card: CardRecord,
  body: Static<typeof TemporaryLimitsBody>,
  nowMs: number,
  bounds?: TemporaryBounds,
): TemporaryLimits {
  const changed = TEMPORARY_LIMITS.map((name) => {
    const given = body[name];
    const kept = card.temporaryLimits[name];
    if (given) {
      const field = `temporaryLimits.${name}`;
      const limit = read(field, given, card.currency, nowMs);
      if (bounds) requireWithin(field, limit, card[`${name}Minor`], bounds, { ...card, nowMs });
      return [name, { amountMinor: limit.amountMinor.toString(), endsMs: limit.endsMs }];
    }
    return [name, given === undefined && kept && kept.endsMs > nowMs ? kept : undefined];
  });
  return Object.fromEntries(changed.filter(([, limit]) => limit !== undefined));
}

type Limit = ReturnType<typeof read>;

function read(field: string, given: { amount: number; endsAt: string }, currency: string, nowMs: number) {
  const amountMinor = readAmount(`${field}.amount`, given.amount, currency);
  const endsMs = parseTimestamp(given.endsAt);
  if (endsMs === undefined) throw invalid(`${field}.endsAt`, 'must be a timestamp with an offset');
  if (endsMs <= nowMs) throw invalid(`${field}.endsAt`, 'must be in the future');
  if (endsMs > nowMs + MOST_DAYS * MS_PER_DAY)
    throw invalid(`${field}.endsAt`, `must be at most ${MOST_DAYS} days ahead`);
  return { amountMinor, endsMs };
}

/** Judged by the card's own limit, so that raising it twice raises it no further. */
function requireWithin(
  field: string,
  { amountMinor, endsMs }: Limit,
  ownMinor: bigint | null,
  { factor, days }: TemporaryBounds,
  { currency, nowMs }: { currency: string; nowMs: number },
): void {
  if (ownMinor === null || factor <= 1)
    throw invalid(`${field}.amount`, 'your role may not raise this limit; ask a manager');
  const mostMinor = ownMinor * BigInt(factor);
  if (amountMinor > mostMinor)
    throw invalid(
      `${field}.amount`,
      `must be at most ${formatAmount(mostMinor, currency)} for your role; ask a manager`,
    );
  if (endsMs > nowMs + days * MS_PER_DAY)
    throw invalid(`${field}.endsAt`, `must be at most ${days} days ahead for your role; ask a manager`);
}
