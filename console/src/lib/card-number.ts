const SHORTEST = 13;
const LONGEST = 19;
/** The number of leading digits that are not confidential. */
const HARMLESS = 8;

const digitsOf = (text: string): string => text.replaceAll(/[\s-]/g, '');

/**
 * Whether the text is a complete card number. It must not get into a URL, and so into histories and logs: the last four
 * digits find the card too.
 */
export function isCardNumber(text: string): boolean {
  const digits = digitsOf(text);
  if (!/^\d+$/.test(digits) || digits.length < SHORTEST || digits.length > LONGEST) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Whether more digits may complete a card number: then the search starts only on Enter. */
export const mayBecomeCardNumber = (text: string): boolean =>
  /^\d+$/.test(digitsOf(text)) && digitsOf(text).length > HARMLESS;
