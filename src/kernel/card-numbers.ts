import { invalid } from './error.ts';
import { isLuhn } from './luhn.ts';

/** Sandbox numbers begin with this prefix and live numbers do not. No issuer has it: country code 999 is not assigned (ISO/IEC 7812). */
export const SANDBOX_PREFIX = '9999';

/**
 * Finds card numbers in text that is stored or logged: in one piece, or with up to eight characters between two digits
 * (spaces, dashes, dots, underscores, slashes, zero-width characters, escapes such as `%20`), in the digits of any
 * script. Only letters and the structural characters of JSON end a number.
 */

/** A URL escape that may stand between two digits. */
const ESCAPED_SIGN = '%(?:2[\\da-f]|5f)';
const DIGIT = '(?:%3\\d|\\p{N})';
/** The alternatives exclude each other, so that the expression never backtracks. */
const SIGN = `(?:${ESCAPED_SIGN}|(?!${ESCAPED_SIGN}|%3\\d)[^\\p{L}\\p{N}"[\\]{}])`;
const THIRTEEN_DIGITS = `${DIGIT}(?:${SIGN}{0,8}${DIGIT}){12}`;

const NUMBER_LIKE = new RegExp(`${THIRTEEN_DIGITS}(?:${SIGN}{0,8}${DIGIT})*`, 'giu');

/**
 * UUIDs and timestamps are skipped. Their digits sometimes pass the Luhn check, and a masked request id could not be found
 * in the log.
 */
const KNOWN =
  /([\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}|(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[ T](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?)/i;

/**
 * False if the text has no `least` digits without a letter between them. The check is several times faster than the
 * expressions; text that is not ASCII or may have escapes is left to them.
 */
function mayHoldDigits(text: string, least: number): boolean {
  if (text.length < least) return false;
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127 || code === PERCENT) return true;
    if (code > 47 && code < 58) {
      if (++digits === least) return true;
    } else if (isLetter(code)) digits = 0;
  }
  return false;
}
const PERCENT = 37;
const isLetter = (code: number): boolean => (code | 32) > 96 && (code | 32) < 123;

/** Receives all digits of a possible number, including adjacent ones. */
type Looks = (digits: string) => boolean;

function replaceNumbers(text: string, isNumber: Looks): string {
  if (!mayHoldDigits(text, 13)) return text;
  return text
    .split(KNOWN)
    .map((part, index) =>
      index % 2 === 1
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

/** Unicode orders the digits of every script from 0 to 9. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value % 10);
}

/** A number may be next to other digits, so every run of sixteen is checked. */
function anySixteen(digits: string, isNumber: Looks): boolean {
  for (let at = 0; at + 16 <= digits.length; at++) if (isNumber(digits.slice(at, at + 16))) return true;
  return false;
}

const anyNumber: Looks = (digits) => (digits.length <= 19 && isLuhn(digits)) || anySixteen(digits, isLuhn);
const numberOf =
  (bin: string): Looks =>
  (digits) =>
    anySixteen(digits, (number) => number.startsWith(bin) && isLuhn(number));

/** For logs, errors and free text about a card: masks everything that could be a card number. */
export const maskCardNumbers = (text: string): string => replaceNumbers(text, anyNumber);

/**
 * For ids and names that merchants choose. Masks only numbers of the program's BIN: one in ten long ids would otherwise
 * pass for some issuer's card number.
 */
export function maskNumbersOf(bin: string, text: string): string {
  const masked = replaceNumbers(text, numberOf(bin));
  return holdsNumberOf(bin, masked) ? '[card number]' : masked;
}

/** Ignores everything between the digits but letters, and decodes URL escapes twice. */
export function holdsNumberOf(bin: string, text: string): boolean {
  if (!mayHoldDigits(text, 16)) return false;
  const runs = decoded(decoded(text)).match(/(?:\p{N}[^\p{L}\p{N}]*){16,}/gu) ?? [];
  return runs.some((run) => numberOf(bin)(digitsOf(run)));
}

const decoded = (text: string): string =>
  text.includes('%')
    ? text.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
    : text;

/** For labels that operators choose: programs, keys, designs, accounts. */
export function refuseCardNumber(field: string, text: string): void {
  if (maskCardNumbers(text) !== text) throw invalid(field, 'must not contain a card number');
}
