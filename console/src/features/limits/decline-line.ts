import { formatMoney } from '../../lib/money.ts';
import type { Decline } from '../../lib/types.ts';

/** The numbers of a decision in a few words, or nothing if it did not depend on any. */
export function declineLine({ limits }: Pick<Decline, 'limits'>, currency: string): string {
  if (!limits) return '';
  const { limit, value = '0', spent = '0', available = '0' } = limits;
  const money = (amount: string) => formatMoney(amount, currency);
  if (!limit) return `${money(available)} available`;
  return limit === 'transactionLimit' ? `limit ${money(value)}` : `${money(spent)} of ${money(value)} spent`;
}
