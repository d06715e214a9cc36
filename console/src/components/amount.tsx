import { formatMoney } from '../lib/money.ts';

/** An amount with digits of equal width. `signed` adds a plus sign to credits. */
export function Amount({
  value,
  currency,
  signed = false,
}: {
  value: string | number;
  currency: string;
  signed?: boolean;
}) {
  const text = formatMoney(value, currency);
  return <span className="num">{signed && Number(value) > 0 ? `+${text}` : text}</span>;
}
