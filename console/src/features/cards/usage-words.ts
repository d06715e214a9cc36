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
