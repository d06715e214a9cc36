/** The digit that makes `digits + checkDigit` pass the Luhn check. Digits may be bytes, which leave no string behind. */
export function luhnCheckDigit(digits: string | Uint8Array): string {
  const codeAt = (at: number) =>
    typeof digits === 'string' ? digits.charCodeAt(at) : (digits[at] as number);
  let sum = 0;
  for (let i = digits.length - 1, double = true; i >= 0; i--, double = !double) {
    const digit = codeAt(i) - 48;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return String((10 - (sum % 10)) % 10);
}

export const isLuhn = (digits: string): boolean =>
  digits.length > 1 && luhnCheckDigit(digits.slice(0, -1)) === digits.slice(-1);
