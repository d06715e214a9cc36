import { formatMoney } from '../lib/money.ts';

/** Money with digits of equal width. `signed` puts a plus before what comes in. */
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
