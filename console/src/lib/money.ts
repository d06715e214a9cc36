/**
 * Amounts arrive as decimal strings with their currency's own digits, or as numbers. A string is shown with as many
 * digits as it has: the browser's idea of a currency's digits is not ISO's for all of them.
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
  // A proper minus, as wide as a digit.
  return formatter.format(amount as number).replace('-', '−');
}

/** For headlines: €1.2M */
export const formatMoneyShort = (amount: string | number, currency: string): string =>
  Math.abs(Number(amount)) < 100_000
    ? formatMoney(amount, currency)
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

/** How many decimals an amount of this currency is entered with. */
export const currencyDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
