import { CURRENCY_DIGITS } from './generated/currencies.ts';

/** Fifteen digits: up to here every amount is exact as a number, and the API accepts no more. */
const LARGEST_NUMBER = 999_999_999_999_999n;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** The number of decimals of a currency by ISO 4217; `Intl` differs for some currencies. */
export function currencyDigits(currency: string): number {
  const digits = Object.hasOwn(CURRENCY_DIGITS, currency) ? CURRENCY_DIGITS[currency] : undefined;
  if (digits === undefined) throw new RangeError(`currency: unknown currency ${currency}`);
  return digits;
}

/**
 * `"12.30"` or `12.3` in EUR is `1230n`: converts an amount of the API, text or number, to whole minor units, which can
 * be added and compared without rounding errors.
 */
export function parseAmount(amount: string | number, currency: string): bigint {
  const digits = currencyDigits(currency);
  // The shortest text of a number is the decimal that was sent, so there is no arithmetic and no rounding.
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(String(amount)) ?? [];
  if (whole === '') throw new RangeError('amount: must be a plain decimal such as 12.50');
  if (fraction.length > digits) throw new RangeError(`amount: at most ${digits} decimals in ${currency}`);
  const minor = BigInt(whole + fraction.padEnd(digits, '0'));
  if (typeof amount === 'number') requireExact(minor);
  return sign === '-' ? -minor : minor;
}

/** `1230n` in EUR is `"12.30"`, for fields of the API that are text. */
export function formatAmount(minor: bigint, currency: string): string {
  const digits = currencyDigits(currency);
  const sign = minor < 0n ? '-' : '';
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0');
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** `1230n` in EUR is `12.3`, for fields of the API that are numbers: `spendLimit`, limits, adjustments. */
export function amountNumber(minor: bigint, currency: string): number {
  requireExact(minor);
  return Number(formatAmount(minor, currency));
}

function requireExact(minor: bigint): void {
  if (minor > LARGEST_NUMBER || minor < -LARGEST_NUMBER)
    throw new RangeError('amount: a number is exact only up to 15 digits; use a string');
}
