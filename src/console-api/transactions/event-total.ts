import { formatAmount, parseAmount } from '../../kernel/money.ts';

/** The bill amount of a transaction's event with its fees: what it held, took or gave back. Null: it moves no money. */
export function eventTotal(data: Record<string, unknown>): string | null {
  const currency = data['bill_currency'];
  if (typeof currency !== 'string' || typeof data['bill_amount'] !== 'string') return null;
  const parts = [data['bill_amount'], data['fx_fee'], data['atm_fee']];
  const minor = parts.map(
    (part) => (typeof part === 'string' ? parseAmount(part, currency) : undefined) ?? 0n,
  );
  return formatAmount(
    minor.reduce((sum, part) => sum + part, 0n),
    currency,
  );
}
