import { invalid } from './error.ts';
import { isLuhn } from './luhn.ts';

/** Sandbox numbers begin with it and live ones do not. It is assigned to no issuer: 999 is no country (ISO/IEC 7812, ISO 3166). */
export const SANDBOX_PREFIX = '9999';

/**
 * Card numbers in text that is kept or logged, however they are written: in one piece, or with up to eight signs
 * between two digits (spaces, dashes, dots, underscores, slashes, zero-width characters, `%20` and its like), in the
 * digits of any script. Only letters, and what gives JSON its shape, end a number.
 */

/** What an escape of a URL stands for between the digits of a number, or as one of them. */
const ESCAPED_SIGN = '%(?:2[\\da-f]|5f)';
const DIGIT = '(?:%3\\d|\\p{N})';
/** Each place in a text can be read in one way only, so that no text takes long. */
const SIGN = `(?:${ESCAPED_SIGN}|(?!${ESCAPED_SIGN}|%3\\d)[^\\p{L}\\p{N}"[\\]{}])`;
const THIRTEEN_DIGITS = `${DIGIT}(?:${SIGN}{0,8}${DIGIT}){12}`;

const NUMBER_LIKE = new RegExp(`${THIRTEEN_DIGITS}(?:${SIGN}{0,8}${DIGIT})*`, 'giu');

/**
 * Ids (UUID) and points in time are never part of a card number: now and then their digits would pass for one, and a
 * request could not be found in the log.
 */
const KNOWN =
  /([\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}|(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[ T](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?)/i;

/**
 * Most texts hold nothing of the kind, which this tells ten times sooner: at least thirteen digits without a letter
 * between them (but for one that ends an escape), or something that is not ASCII.
 */
function mayHoldNumber(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) return true;
    if (code > 47 && code < 58) {
      if (++digits === 13) return true;
    } else if (digits > 0 && (isLetter(code) || code === QUOTE) && text.charCodeAt(at - 2) !== PERCENT)
      digits = 0;
  }
  return false;
}
const QUOTE = 34;
const PERCENT = 37;
const isLetter = (code: number): boolean => (code | 32) > 96 && (code | 32) < 123;

/** Told the digits of what may be a number, with those beside it. */
type Looks = (digits: string) => boolean;

function replaceNumbers(text: string, isNumber: Looks): string {
  if (!mayHoldNumber(text)) return text;
  return text
    .split(KNOWN)
    .map((part, place) =>
      place % 2 === 1
        ? part
        : part.replace(NUMBER_LIKE, (match) => (isNumber(digitsOf(match)) ? '[card number]' : match)),
    )
    .join('');
}

const digitsOf = (match: string): string =>
  match
    .replace(/%3(\d)/g, '$1')
    .replace(new RegExp(ESCAPED_SIGN, 'gi'), '')
    .normalize('NFKC')
    .replace(/\P{Nd}/gu, '')
    .replace(/[^\d]/gu, digitValue);

/** The digits of every script stand in order, in blocks of ten. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value % 10);
}

/** A number may stand next to other digits: every stretch of sixteen is looked at. */
function anySixteen(digits: string, isNumber: Looks): boolean {
  for (let at = 0; at + 16 <= digits.length; at++) if (isNumber(digits.slice(at, at + 16))) return true;
  return false;
}

const anyNumber: Looks = (digits) => (digits.length <= 19 && isLuhn(digits)) || anySixteen(digits, isLuhn);
const numberOf =
  (bin: string): Looks =>
  (digits) =>
    anySixteen(digits, (number) => number.startsWith(bin) && isLuhn(number));

/** For logs, errors and what people write about a card: whatever passes for a card number is taken out whole. */
export const maskCardNumbers = (text: string): string => replaceNumbers(text, anyNumber);

/**
 * For ids and names that others chose. Only numbers of a program's BIN are looked for: one in ten of all long ids would
 * pass for a card number of some issuer.
 */
export function maskNumbersOf(bin: string, text: string): string {
  const masked = replaceNumbers(text, numberOf(bin));
  return holdsNumberOf(bin, masked) ? '[card number]' : masked;
}

/** Whatever stands between the digits: escapes are read, twice, and all but letters and digits is passed over. */
export function holdsNumberOf(bin: string, text: string): boolean {
  if (text.length < 16) return false;
  const runs = decoded(decoded(text)).match(/(?:\p{N}[^\p{L}\p{N}]*){16,}/gu) ?? [];
  return runs.some((run) => numberOf(bin)(digitsOf(run)));
}

const decoded = (text: string): string =>
  text.includes('%')
    ? text.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
    : text;

/** For labels that operators give: programs, keys, designs, accounts. */
export function refuseCardNumber(field: string, text: string): void {
  if (maskCardNumbers(text) !== text) throw invalid(field, 'must not contain a card number');
}
