const SHORTEST = 13;
const LONGEST = 19;

/**
 * Whether somebody typed or pasted a whole card number. It must not get into an address, and so into histories and logs:
 * the last four digits find the card as well.
 */
export function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (!/^\d+$/.test(digits) || digits.length < SHORTEST || digits.length > LONGEST) return false;
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
