import { formatMoment, parseTime } from '../../lib/time.ts';
import type { CardDetails } from '../../lib/types.ts';

const counted = (purchases: number): string => `${purchases} ${purchases === 1 ? 'purchase' : 'purchases'}`;

/** What the card may be used for, and what is used of it, a line for each. */
export function usageWords(usage: CardDetails['usage']): string[] {
  if (!usage) return ['For any number of purchases, at any merchant, at any time.'];
  const { purchases, merchants, from, until, used, lockedTo } = usage;
  const at = (time: string) => formatMoment(parseTime(time));
  return [
    purchases === null ? `${counted(used)} so far.` : `${used} of ${counted(purchases)} used.`,
    ...(merchants === 'FIRST'
      ? [lockedTo ? `Only at the merchant ${lockedTo}.` : 'Only at the merchant of the first purchase.']
      : []),
    ...(Array.isArray(merchants) ? [`Only at the merchants ${merchants.join(', ')}.`] : []),
    ...(from ? [`Not before ${at(from)}.`] : []),
    ...(until ? [`Until ${at(until)}.`] : []),
  ];
}

/** Times are in UTC: `2026-11-15T08:30:00+0000` is typed as `2026-11-15 08:30`. */
export const typedTime = (time: string | null | undefined): string =>
  (time ?? '').slice(0, 16).replace('T', ' ');

/** An unchanged time keeps its seconds. */
export function sentTime(typed: string, before: string | null | undefined): string | null {
  if (typed === '') return null;
  return before && typed === typedTime(before) ? before : `${typed.replace(' ', 'T')}:00Z`;
}
