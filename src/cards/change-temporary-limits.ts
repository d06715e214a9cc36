import type { Static } from 'typebox';
import { MS_PER_DAY, parseTimestamp } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import { readAmount } from '../kernel/money.ts';
import type { TemporaryLimitsBody } from './schema.ts';
import { TEMPORARY_LIMITS, type TemporaryLimits } from './temporary-limits.ts';

const MOST_DAYS = 90;

/** The limits after a change. Null ends a temporary limit; those that have ended are dropped. */
export function changeTemporaryLimits(
  before: TemporaryLimits,
  body: Static<typeof TemporaryLimitsBody>,
  currency: string,
  nowMs: number,
): TemporaryLimits {
  const changed = TEMPORARY_LIMITS.map((name) => {
    const given = body[name];
    const kept = before[name];
    if (given) return [name, read(`temporaryLimits.${name}`, given, currency, nowMs)];
    return [name, given === undefined && kept && kept.endsMs > nowMs ? kept : undefined];
  });
  return Object.fromEntries(changed.filter(([, limit]) => limit !== undefined));
}

function read(field: string, given: { amount: number; endsAt: string }, currency: string, nowMs: number) {
  const amountMinor = readAmount(`${field}.amount`, given.amount, currency);
  const endsMs = parseTimestamp(given.endsAt);
  if (endsMs === undefined) throw invalid(`${field}.endsAt`, 'must be a timestamp with an offset');
  if (endsMs <= nowMs) throw invalid(`${field}.endsAt`, 'must be in the future');
  if (endsMs > nowMs + MOST_DAYS * MS_PER_DAY)
    throw invalid(`${field}.endsAt`, `must be at most ${MOST_DAYS} days ahead`);
  return { amountMinor: amountMinor.toString(), endsMs };
}
