import { currencyDigits } from './currencies.ts';
import { invalid } from './error.ts';

/** The largest amount accepted: a JSON number represents every minor-unit value up to it exactly. */
export const MAX_AMOUNT_MINOR = 999_999_999_999_999n;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** `"12.30"` in EUR → `1230n`; undefined when the text is no plain decimal or has too many decimals. */
export function parseAmount(text: string, currency: string): bigint | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const digits = currencyDigits(currency);
  if (fraction.length > digits) return undefined;
  const minor = BigInt(whole + fraction.padEnd(digits, '0'));
  return sign === '-' ? -minor : minor;
}

/** A JSON number to minor units, through its shortest decimal text so that no float arithmetic takes part. */
export function amountFromNumber(value: number, currency: string): bigint | undefined {
  const text = String(value);
  // JavaScript writes tiny numbers with an exponent; those have more decimals than any currency.
  return text.includes('e') ? undefined : parseAmount(text, currency);
}

/** Converts a JSON number to minor units, or throws a 400 that names the field. */
export function readAmount(field: string, value: number, currency: string): bigint {
  const largest = formatAmount(MAX_AMOUNT_MINOR, currency);
  if (Math.abs(value) > Number(largest)) throw invalid(field, `must be at most ${largest}`);
  const minor = amountFromNumber(value, currency);
  if (minor !== undefined) return minor;
  const digits = currencyDigits(currency);
  throw invalid(field, `must have at most ${digits} decimals in ${currency}`);
}

/** `1230n` in EUR → `"12.30"`. */
export function formatAmount(minor: bigint, currency: string): string {
  const digits = currencyDigits(currency);
  const sign = minor < 0n ? '-' : '';
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0');
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** `"1234.50"` in EUR → `€1,234.50`: for people, as the console writes it. */
export function amountInWords(amount: string, currency: string): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat('en', {
    ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol' },
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
  })
    .format(amount as `${number}`)
    .replace('-', '−');
}

/** For JSON fields the specification types as a number. Exact for every amount up to MAX_AMOUNT_MINOR. */
export const amountToNumber = (minor: bigint, currency: string): number =>
  Number(formatAmount(minor, currency));

const BASIS_POINTS = 10_000n;

/** A share of an amount in basis points, rounded half to even. The one place where money is rounded. */
export function basisPoints(amountMinor: bigint, bps: number): bigint {
  const product = amountMinor * BigInt(bps);
  if (product < 0n) return -basisPoints(amountMinor, -bps);
  const whole = product / BASIS_POINTS;
  const twice = (product % BASIS_POINTS) * 2n;
  const up = twice > BASIS_POINTS || (twice === BASIS_POINTS && whole % 2n === 1n);
  return up ? whole + 1n : whole;
}
