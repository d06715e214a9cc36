import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLuhn, luhnCheckDigit } from './luhn.ts';

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((list) => list.join(''));
const cardNumber = digits(15).map((head) => head + luhnCheckDigit(head));

/** The definition, written another way: double every second digit from the right, add the digits of all. */
function oracle(number: string): boolean {
  const doubled = [...number].reverse().map((digit, index) => String(Number(digit) * (1 + (index % 2))));
  return [...doubled.join('')].reduce((sum, digit) => sum + Number(digit), 0) % 10 === 0;
}

describe('check digit', () => {
  test.each(['79927398713', '0000000000000000', '9999000000000004'])('%s passes', (number) => {
    expect(isLuhn(number)).toBe(true);
  });
  test.each(['', '0', '79927398710', '9999000000000005'])('%j does not pass', (number) => {
    expect(isLuhn(number)).toBe(false);
  });

  test('agrees with the definition, for any digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 19 }).chain(digits), (number) => {
        expect(isLuhn(number)).toBe(oracle(number));
        expect(isLuhn(number + luhnCheckDigit(number))).toBe(true);
      }),
    );
  });

  test('one wrong digit is always detected', () => {
    fc.assert(
      fc.property(cardNumber, fc.nat(15), fc.integer({ min: 1, max: 9 }), (number, index, shift) => {
        const wrong = String((Number(number[index]) + shift) % 10);
        expect(isLuhn(number.slice(0, index) + wrong + number.slice(index + 1))).toBe(false);
      }),
    );
  });
});
