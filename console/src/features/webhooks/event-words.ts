import { formatMoney } from '../../lib/money.ts';
import { declineWords } from '../transactions/filters.ts';
import type { WebhookEvent } from './queries.ts';

const textAt = (data: Record<string, unknown>, field: string): string | null => {
  const value = data[field];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** The card or purchase of an event, as far as its data identify it. */
export function eventWords({ data }: WebhookEvent): string {
  const merchant = data['merchant'] as { name?: unknown } | null | undefined;
  const lastFour = textAt(data, 'lastFour');
  const amount = textAt(data, 'bill_amount');
  const currency = textAt(data, 'bill_currency');
  const declined = textAt(data, 'decline_reason');
  const moved = amount ? null : textAt(data, 'amount');
  const moneyOf = textAt(data, 'currency');
  const changed = Array.isArray(data['changed']) ? data['changed'].join(', ').replaceAll('_', ' ') : null;
  return [
    typeof merchant?.name === 'string' ? merchant.name : null,
    lastFour && `••••\u00a0${lastFour}`,
    amount && currency && formatMoney(amount, currency),
    moved && moneyOf && formatMoney(moved, moneyOf),
    changed,
    declined && declineWords(declined),
    textAt(data, 'statusReason'),
    textAt(data, 'createdBy') &&
      `“${textAt(data, 'name')}” ${textAt(data, 'hint')} by ${textAt(data, 'createdBy')}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The card and the transaction of an event, for links. */
export function subjectOf({ data }: WebhookEvent): { cardId: string | null; transactionId: string | null } {
  return {
    cardId: textAt(data, 'cardId') ?? textAt(data, 'card_id'),
    transactionId: textAt(data, 'transaction_id'),
  };
}
