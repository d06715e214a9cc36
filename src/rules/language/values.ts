import { toAlpha3 } from '../../kernel/countries.ts';
import { currencyDigits, isCurrency } from '../../kernel/currencies.ts';
import { invalid } from '../../kernel/error.ts';
import { foldText } from '../../kernel/fold-text.ts';
import { formatAmount, MAX_AMOUNT_MINOR, parseAmount } from '../../kernel/money.ts';

/** A value as an attempt holds it: money in minor units, a number, a code or text, true or false. */
export type Value = bigint | number | string | boolean;

/** Reads a JSON value as an attempt holds it, or throws a 400 that names the path. */
export type ValueReader = (path: string, value: unknown, currency: string) => Value;

/** Of a merchant's id, a name and a label. */
const LONGEST_TEXT = 255;

export function readMoney(path: string, value: unknown, currency: string): bigint {
  if (typeof value !== 'string') throw invalid(path, 'must be an amount as a decimal string, such as "200"');
  const minor = parseAmount(value, currency);
  if (minor === undefined && DECIMAL.test(value))
    throw invalid(path, `at most ${currencyDigits(currency)} decimals in ${currency}`);
  if (minor === undefined || minor < 0n)
    throw invalid(path, 'must be an amount of 0 or more as a decimal string, such as "200"');
  if (minor > MAX_AMOUNT_MINOR)
    throw invalid(path, `must be at most ${formatAmount(MAX_AMOUNT_MINOR, currency)}`);
  return minor;
}
const DECIMAL = /^\d+\.\d+$/;

export const readWholeNumber =
  (lowest: number, highest: number) =>
  (path: string, value: unknown): number => {
    const isValid =
      typeof value === 'number' && Number.isInteger(value) && value >= lowest && value <= highest;
    if (!isValid) throw invalid(path, `must be a whole number from ${lowest} to ${highest}`);
    return value;
  };

export function readBoolean(path: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw invalid(path, 'must be true or false');
  return value;
}

export const readOneOf =
  <Word extends string>(words: readonly Word[]) =>
  (path: string, value: unknown): Word => {
    if (!words.includes(value as Word)) throw invalid(path, `must be one of ${words.join(', ')}`);
    return value as Word;
  };

export function readText(path: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid(path, 'must be a string');
  if (value.length > LONGEST_TEXT) throw invalid(path, `must be at most ${LONGEST_TEXT} characters`);
  if (value.trim() === '') throw invalid(path, 'must not be empty');
  return value;
}

/** Text of which something is left to compare. */
export function readComparedText(path: string, value: unknown): string {
  const text = readText(path, value);
  if (foldText(text) === '') throw invalid(path, 'must have letters, digits or signs');
  return text;
}

export function readCurrency(path: string, value: unknown): string {
  if (typeof value !== 'string' || !isCurrency(value))
    throw invalid(path, 'must be an ISO 4217 code such as EUR');
  return value;
}

export function readCountry(path: string, value: unknown): string {
  const code = typeof value === 'string' || typeof value === 'number' ? toAlpha3(value) : null;
  if (code === null) throw invalid(path, 'must be an ISO 3166-1 country code: alpha-2, alpha-3 or numeric');
  return code;
}

export function readMcc(path: string, value: unknown): string {
  if (typeof value !== 'string' || !/^\d{3,4}$/.test(value))
    throw invalid(path, 'must be a merchant category code of 4 digits');
  return value.padStart(4, '0');
}

/** Networks fill merchant ids with spaces. */
export const readMerchantId = (path: string, value: unknown): string => readText(path, value).trim();
