import { InvalidArgumentError } from 'commander';
import { type Day, dayEndMs, isDay, parseTimestamp } from '../kernel/calendar.ts';
import { currencyDigits } from '../kernel/currencies.ts';
import { invalid } from '../kernel/error.ts';
import { formatAmount, MAX_AMOUNT_MINOR, parseAmount } from '../kernel/money.ts';
import { ALL_SCOPES, ALLOWABLE_EXEMPTIONS, type Exemption, type Scope } from '../programs/program.ts';

/** Parsers for option values. An invalid value is wrong usage (exit code 2). */

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_MS = 3_650 * UNIT_MS.d;

export function durationMs(text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNIT_MS[unit as keyof typeof UNIT_MS] ?? Number.NaN);
  if (!(ms <= LONGEST_MS)) throw new InvalidArgumentError('Use a duration such as 30m, 24h or 7d.');
  return ms;
}

/** `90d` from now, a UTC day (until its end), a timestamp, or `never`. An object: for the parser null is "no value". */
export function expiry(text: string): { at: Date | null } {
  if (text === 'never') return { at: null };
  if (/^\d+[smhd]$/.test(text)) return { at: new Date(Date.now() + durationMs(text)) };
  const ms = isDay(text) ? dayEndMs(text) : parseTimestamp(text);
  if (ms === undefined)
    throw new InvalidArgumentError('Use a duration (90d), a day (2027-01-31), a timestamp, or never.');
  return { at: new Date(ms) };
}

export function utcDay(text: string): Day {
  if (!isDay(text)) throw new InvalidArgumentError('Use a valid date, such as 2026-11-01.');
  return text;
}

export function scopeList(text: string): Scope[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const scopes = ALL_SCOPES.filter((scope) => names.includes(scope));
  if (scopes.length !== names.length)
    throw new InvalidArgumentError(`Use one or more of ${ALL_SCOPES.join(', ')}, separated by commas.`);
  return scopes;
}

export function exemptionList(text: string): Exemption[] {
  if (text === 'none') return [];
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const exemptions = ALLOWABLE_EXEMPTIONS.filter((exemption) => names.includes(exemption));
  if (exemptions.length !== names.length)
    throw new InvalidArgumentError(
      `Use one or more of ${ALLOWABLE_EXEMPTIONS.join(', ')}, separated by commas, or none.`,
    );
  return exemptions;
}

/** Names of a variadic option, separated by spaces, commas or both. */
export const namesOf =
  (choices: readonly string[]) =>
  (text: string, before: string[] = []): string[] => {
    const names = text.split(',').filter((name) => name !== '');
    if (names.length === 0 || names.some((name) => !choices.includes(name)))
      throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
    return [...new Set([...before, ...names])];
  };

export function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new InvalidArgumentError('must be a URL such as http://localhost:3000/hooks');
  return url.href;
}

export function trueOrFalse(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('Use true or false.');
  return text === 'true';
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Use a whole number.');
  return Number(text);
}

/** Values below 0 are allowed if the range has them. */
export const wholeNumberFrom =
  ([least, most]: readonly [least: number, most: number]) =>
  (text: string): number => {
    const value = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most))
      throw new InvalidArgumentError(`Use a whole number from ${least} to ${most}.`);
    return value;
  };

export const countUpTo =
  (most: number) =>
  (text: string): number => {
    const count = wholeNumber(text);
    if (count < 1 || count > most) throw new InvalidArgumentError(`Use a number from 1 to ${most}.`);
    return count;
  };

const DECIMAL = /^\d{1,24}(\.\d{1,12})?$/;

/** An amount as text: its minor units depend on the currency of the program. */
export function decimalText(text: string): string {
  if (!DECIMAL.test(text)) throw new InvalidArgumentError('Use an amount such as 12.50.');
  return text;
}

/** The same, or a word that stands for no amount. */
export const decimalTextOr =
  (word: string) =>
  (text: string): string => {
    if (text === word) return text;
    if (!DECIMAL.test(text)) throw new InvalidArgumentError(`Use an amount such as 12.50, or ${word}.`);
    return text;
  };

/** The exact amount in minor units of the currency. */
export function amountIn(currency: string, name: string, text: string): bigint {
  const minor = parseAmount(text, currency);
  if (minor === undefined)
    throw invalid(name, `must have at most ${currencyDigits(currency)} decimals in ${currency}`);
  if (minor > MAX_AMOUNT_MINOR)
    throw invalid(name, `must be at most ${formatAmount(MAX_AMOUNT_MINOR, currency)}`);
  return minor;
}
