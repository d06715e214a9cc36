/** The digit that makes `digits + checkDigit` pass the Luhn check. */
export function luhnCheckDigit(digits: string): string {
  let sum = 0;
  for (let i = digits.length - 1, double = true; i >= 0; i--, double = !double) {
    const digit = digits.charCodeAt(i) - 48;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return String((10 - (sum % 10)) % 10);
}

export const isLuhn = (digits: string): boolean =>
  digits.length > 1 && luhnCheckDigit(digits.slice(0, -1)) === digits.slice(-1);

/**
 * Thirteen or more digits, alone or in groups parted by a space or a hyphen. An id (UUID) is met first and left
 * alone: now and then one would pass for a card number, and its request could not be found in the log.
 */
const NUMBER_LIKE =
  /([\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})|\d(?:[ -]?\d){12,}/g;

/** Most texts hold nothing of the kind, which this tells sooner. */
const MANY_DIGITS = /\d(?:[ -]?\d){12}/;

/** The last line of defence in front of a log: whatever passes for a card number is taken out whole. */
export function maskCardNumbers(text: string): string {
  if (!MANY_DIGITS.test(text)) return text;
  return text.replace(NUMBER_LIKE, (match, id?: string) =>
    id === undefined && holdsCardNumber(match.replace(/[ -]/g, '')) ? '[card number]' : match,
  );
}

/** Whether a text holds a card number of a BIN, in one piece or in groups. */
export function holdsNumberOf(bin: string, text: string): boolean {
  const digits = text.replace(/[\s-]/g, '');
  for (let at = digits.indexOf(bin); at !== -1; at = digits.indexOf(bin, at + 1)) {
    const number = digits.slice(at, at + 16);
    if (/^\d{16}$/.test(number) && isLuhn(number)) return true;
  }
  return false;
}

/** Looks at every stretch of sixteen digits too, since a number may stand next to other digits. */
function holdsCardNumber(digits: string): boolean {
  if (digits.length <= 19 && isLuhn(digits)) return true;
  for (let at = 0; at + 16 <= digits.length; at++) if (isLuhn(digits.slice(at, at + 16))) return true;
  return false;
}
