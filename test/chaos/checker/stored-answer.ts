import { decimal } from '../../model/card.ts';
import type { Row } from './rows.ts';

const COMMON = ['transaction_id', 'external_transaction_id', 'status', 'bill_amount', 'bill_currency'];
const DECIDED = [
  ...COMMON,
  'amount',
  'currency',
  'decline_code',
  'decline_reason',
  'network_code',
  'approval_code',
  'available_amount',
];
const FIELDS: Record<string, readonly string[]> = {
  authorization: DECIDED,
  advice: DECIDED,
  increment: DECIDED,
  refund: [...COMMON, 'parent_transaction_id'],
};
/** Every currency of a run has two decimals. */
const AMOUNTS = ['bill_amount', 'amount', 'available_amount'];
const IS_PURCHASE = ['authorization', 'advice'];

interface Named {
  clearingId?: string;
  refundId?: string;
  incrementId?: string;
}

/** The answer to a message as its row stores it: values alone, amounts in minor units of the program's euros. */
export function storedAnswer(
  kind: string,
  row: Row,
  { clearingId, refundId, incrementId }: Named = {},
): Record<string, unknown> {
  const values = JSON.parse(row['answer']) as Array<string | null>;
  const shown = (FIELDS[kind] ?? COMMON).map((name, index) => {
    const value = values[index] ?? null;
    return [name, value !== null && AMOUNTS.includes(name) ? decimal(BigInt(value)) : value];
  });
  const answer = Object.fromEntries(shown.filter(([name, value]) => name !== 'available_amount' || value));
  return {
    ...answer,
    ...(FIELDS[kind] === DECIDED && { approved: answer.decline_reason === null }),
    ...(!IS_PURCHASE.includes(kind) && { [`${kind}_id`]: row['message_id'] }),
    ...(incrementId !== undefined && { increment_id: incrementId }),
    ...(clearingId !== undefined && { clearing_id: clearingId }),
    ...(refundId !== undefined && { refund_id: refundId }),
  };
}
