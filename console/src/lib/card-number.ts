const SHORTEST = 13;
const LONGEST = 19;
/** So many of a card's first digits may be known. */
const HARMLESS = 8;

const digitsOf = (text: string): string => text.replaceAll(/[\s-]/g, '');

/**
 * Whether somebody typed or pasted a whole card number. It must not get into an address, and so into histories and logs:
 * the last four digits find the card as well.
 */
export function isCardNumber(text: string): boolean {
  const digits = digitsOf(text);
  if (!/^\d+$/.test(digits) || digits.length < SHORTEST || digits.length > LONGEST) return false;
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Whether it may become one with the next key: then it is looked for when Enter says that it is whole, and not before. */
export const mayBecomeCardNumber = (text: string): boolean =>
  /^\d+$/.test(digitsOf(text)) && digitsOf(text).length > HARMLESS;
