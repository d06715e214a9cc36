/**
 * Amounts arrive as decimal strings with the currency's decimals, or as numbers. A string is shown with the decimals
 * that it has, because browsers differ from ISO 4217 for some currencies.
 */
export function formatMoney(
  amount: string | number,
  currency: string,
  options: Intl.NumberFormatOptions = {},
): string {
  const digits = typeof amount === 'string' ? (amount.split('.')[1]?.length ?? 0) : undefined;
  const formatter = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    ...(digits !== undefined && { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    ...options,
  });
  // A minus sign as wide as a digit.
  return formatter.format(amount as number).replace('-', '−');
}

/** An amount of a transaction: what was spent without a sign, what the card gets back with a plus sign. */
export const spentWords = (amount: string, currency: string): string =>
  Number(amount) < 0 ? `+${formatMoney(amount.replace('-', ''), currency)}` : formatMoney(amount, currency);

/** For headlines: €9,876.54, €68,690, €1.2M. */
export const formatMoneyShort = (amount: string | number, currency: string): string =>
  Math.abs(Number(amount)) < 100_000
    ? formatMoney(
        amount,
        currency,
        Math.abs(Number(amount)) < 10_000 ? {} : { minimumFractionDigits: 0, maximumFractionDigits: 0 },
      )
    : formatMoney(Number(amount), currency, {
        notation: 'compact',
        minimumFractionDigits: 0,
        maximumFractionDigits: 2,
      });

const counts = new Intl.NumberFormat('en');
const shortCounts = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
export const formatCount = (count: number): string => counts.format(count);
export const formatCountShort = (count: number): string =>
  count < 10_000 ? counts.format(count) : shortCounts.format(count);

const percent = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
export const formatShare = (share: number): string => percent.format(share);

/** The number of decimals for entering an amount in this currency. */
export const currencyDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
