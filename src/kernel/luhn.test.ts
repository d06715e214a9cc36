import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLuhn, luhnCheckDigit, maskCardNumbers } from './luhn.ts';

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((list) => list.join(''));
const cardNumber = digits(15).map((head) => head + luhnCheckDigit(head));

/** The definition, written another way: double every second digit from the right, add the digits of all. */
function oracle(number: string): boolean {
  const doubled = [...number].reverse().map((digit, place) => String(Number(digit) * (1 + (place % 2))));
  return [...doubled.join('')].reduce((sum, digit) => sum + Number(digit), 0) % 10 === 0;
}

describe('check digit', () => {
  test.each(['79927398713', '0000000000000000', '9999000000000004'])('%s passes', (number) => {
    expect(isLuhn(number)).toBe(true);
  });
  test.each(['', '0', '79927398710', '9999000000000005'])('%j does not', (number) => {
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

  test('one wrong digit is always caught', () => {
    fc.assert(
      fc.property(cardNumber, fc.nat(15), fc.integer({ min: 1, max: 9 }), (number, place, shift) => {
        const wrong = String((Number(number[place]) + shift) % 10);
        expect(isLuhn(number.slice(0, place) + wrong + number.slice(place + 1))).toBe(false);
      }),
    );
  });
});

describe('mask', () => {
  const group = (number: string, separator: string) => (number.match(/.{4}/g) as string[]).join(separator);
  const written = fc
    .tuple(cardNumber, fc.constantFrom('', ' ', '-'))
    .map(([number, by]) => group(number, by));
  /** Whatever may stand beside a number in a log line, digits among it. */
  const beside = fc.string({ unit: fc.constantFrom(...'0123456789 -.:/"{}aé\n'), maxLength: 24 });
  const digitsOf = (text: string) => text.replace(/\D/g, '');

  test('never lets a number through, whatever stands beside it', () => {
    fc.assert(
      fc.property(beside, written, beside, (before, number, after) => {
        const masked = maskCardNumbers(before + number + after);
        expect(masked).toContain('[card number]');
        expect(masked).not.toContain(number);
        expect(digitsOf(masked)).not.toContain(digitsOf(number));
      }),
      { numRuns: 2_000 },
    );
  });

  test('finds each of several', () => {
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 4 }), (numbers) => {
        const masked = maskCardNumbers(JSON.stringify({ numbers, list: numbers.join(', ') }));
        for (const number of numbers) expect(masked).not.toContain(number);
      }),
    );
  });

  test('is stable, and leaves alone what is no number', () => {
    const plain = [
      '{"ms":12.5,"id":"019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f"}',
      // The digits of this id, from 19 on, pass the check.
      '{"reqId":"req_01a1dd19-5901-7000-8022-00000bad067b"}',
      '2026-11-15T08:30:00+0000',
      'phone 7700900123',
    ];
    for (const text of plain) expect(maskCardNumbers(text)).toBe(text);
    fc.assert(
      fc.property(beside, written, beside, (before, number, after) => {
        const once = maskCardNumbers(before + number + after);
        expect(maskCardNumbers(once)).toBe(once);
      }),
    );
  });

  test('thirteen to nineteen digits that stand alone are numbers too', () => {
    fc.assert(
      fc.property(fc.integer({ min: 12, max: 18 }).chain(digits), (head) => {
        expect(maskCardNumbers(`pan=${head}${luhnCheckDigit(head)};`)).toBe('pan=[card number];');
      }),
    );
  });
});
