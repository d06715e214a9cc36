import { formatTimestamp, parseTimestamp } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';

/** What a card may be used for, as its row stores it. Null: not limited in this way. */
export interface UsageRule {
  purchases: number | null;
  /** `FIRST`: the merchant of the first purchase that counts. */
  merchants: 'FIRST' | string[] | null;
  fromMs: number | null;
  untilMs: number | null;
}

/** What was used of a card, by whatever rule. Null on a card that never had one: most cards. */
export interface Used {
  /** Those of which something is held or has cleared. */
  purchases: number;
  /** The merchant of the first of them, while there is one. */
  lockedTo: string | null;
}

/** As a request gives a rule. */
export type GivenUsage = {
  purchases?: number | null;
  merchants?: 'FIRST' | string[] | null;
  from?: string | null;
  until?: string | null;
} | null;

export const UNUSED: Used = { purchases: 0, lockedTo: null };

/** Networks fill merchant ids with spaces. */
export const merchantKey = (id: string): string => id.trim();

export function readUsage(given: GivenUsage | undefined): UsageRule | null {
  if (!given) return null;
  const { purchases = null, merchants = null } = given;
  const time = (name: 'from' | 'until'): number | null => {
    const text = given[name] ?? null;
    const atMs = text === null ? null : parseTimestamp(text);
    if (atMs === undefined) throw invalid(`usage.${name}`, 'must be a timestamp with an offset');
    return atMs;
  };
  const [fromMs, untilMs] = [time('from'), time('until')];
  if (fromMs !== null && untilMs !== null && untilMs <= fromMs)
    throw invalid('usage.until', 'must be after usage.from');
  if ([purchases, merchants, fromMs, untilMs].every((limit) => limit === null))
    throw invalid('usage', 'must limit something: purchases, merchants, from or until; null lifts the rule');
  const keys =
    typeof merchants === 'string' ? merchants : merchants && [...new Set(merchants.map(merchantKey))];
  return { purchases, merchants: keys, fromMs, untilMs };
}

/** Its limits; none without a rule. */
export function presentRule(rule: UsageRule | null) {
  const time = (atMs: number | null = null) => (atMs === null ? null : formatTimestamp(new Date(atMs)));
  return {
    purchases: rule?.purchases ?? null,
    merchants: rule?.merchants ?? null,
    from: time(rule?.fromMs),
    until: time(rule?.untilMs),
  };
}

/** The rule of a card with what was used. */
export function presentUsage(rule: UsageRule | null, used: Used | null) {
  if (!rule) return null;
  const { purchases, lockedTo } = used ?? UNUSED;
  return {
    ...presentRule(rule),
    used: purchases,
    lockedTo: rule.merchants === 'FIRST' ? lockedTo : null,
  };
}
