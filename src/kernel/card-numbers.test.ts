import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holdsNumberOf, maskCardNumbers, maskNumbersOf, refuseCardNumber } from './card-numbers.ts';
import { newId } from './ids.ts';
import { isLuhn, luhnCheckDigit } from './luhn.ts';

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((list) => list.join(''));
const cardNumber = digits(15).map((head) => head + luhnCheckDigit(head));
const BIN = '999900';
const ofProgram = digits(9).map((rest) => BIN + rest + luhnCheckDigit(BIN + rest));

const group = (number: string, separator: string) => (number.match(/.{4}/g) as string[]).join(separator);
/** Whatever people, programs and URLs put between the groups of a number. */
const SEPARATORS = [
  ...['', ' ', '-', '.', '_', '/', ',', '+', ':', ';', '|', '*', '~', '#', '=', '&', "'", '\\', '·', '•'],
  ...['\u00a0', '\u2009', '\u202f', '\u3000', '\u2010', '\u2011', '\u2013', '\u2014', '\u2212', '\u200b'],
  ...['%20', '%2D', '%2d', '%2E', '%5F', '%5f', '%2B', '%2F', ', ', ' - ', '%20-%20', ' \u00b7 '],
];
/** The digits of other scripts. */
const ZEROS = ['0', '\uff10', '\u0660', '\u06f0', '\u0966', '\u{1d7ce}', '\u{1d7f6}', '\u{1fbf0}'];
const inScript = (number: string, zero: string) =>
  number.replace(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) as number) + Number(digit)));
const percentEncoded = (number: string) => number.replace(/\d/g, (digit) => `%3${digit}`);

test.each([
  '----',
  ' -- -- ',
  '~~~~~~',
  '][',
  '%3A',
  '%7C',
  '%40',
  '%09',
  '%E2%80%8B',
  '%252E',
  '"',
  '\u200b\u200b\u200b\u200b',
])('a number of the program is found with %j between its groups, and at the start of an id', (separator) => {
  const real = `999900008807739${luhnCheckDigit('999900008807739')}`;
  const text = group(real, separator);
  expect(holdsNumberOf(BIN, `https://a.example/${text}`)).toBe(true);
  expect(maskNumbersOf(BIN, text)).not.toContain(real.slice(-4));
  expect(
    holdsNumberOf(BIN, `${real.slice(0, 8)}-${real.slice(8, 12)}-${real.slice(12)}-8abc-def012345678`),
  ).toBe(true);
});

describe('mask', () => {
  const written = fc
    .tuple(cardNumber, fc.constantFrom(...SEPARATORS))
    .map(([number, by]) => group(number, by));
  /** Whatever may stand beside a number in a log line, digits among it. */
  const beside = fc.string({ unit: fc.constantFrom(...'0123456789 -.:/"{}aé\n'), maxLength: 24 });

  test('masks every number, for any text around it', () => {
    fc.assert(
      fc.property(beside, written, beside, (before, number, after) => {
        const masked = maskCardNumbers(before + number + after);
        expect(masked).toContain('[card number]');
        expect(masked).not.toContain(number);
      }),
      { numRuns: 2_000 },
    );
  });

  test('masks each of several numbers', () => {
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 4 }), (numbers) => {
        const masked = maskCardNumbers(JSON.stringify({ numbers, list: numbers.join(', ') }));
        for (const number of numbers) expect(masked).not.toContain(number);
      }),
    );
  });

  test('is idempotent, and does not change text without a number', () => {
    const plain = [
      '{"ms":12.5,"id":"019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f"}',
      // The digits of this id, from 19 on, pass the check.
      '{"reqId":"req_01a1dd19-5901-7000-8022-00000bad067b"}',
      '2026-11-15T08:30:00+0000',
      'phone 7700900123',
      'amount: must be at most 9999999999999.99',
      // The digits of these two pass the check.
      '2026-11-15 08:30:00.129 UTC [1234] LOG',
      '12345, 40012345-6789-4012-8345-678901234567',
    ];
    for (const text of plain) expect(maskCardNumbers(text)).toBe(text);
    fc.assert(
      fc.property(beside, written, beside, (before, number, after) => {
        const once = maskCardNumbers(before + number + after);
        expect(maskCardNumbers(once)).toBe(once);
      }),
    );
  });

  test('thirteen to nineteen digits on their own are masked too', () => {
    fc.assert(
      fc.property(fc.integer({ min: 12, max: 18 }).chain(digits), (head) => {
        expect(maskCardNumbers(`pan=${head}${luhnCheckDigit(head)};`)).toBe('pan=[card number];');
      }),
    );
  });
});

describe('numbers of a BIN', () => {
  test('are found in any script, with any separators and between other text', () => {
    fc.assert(
      fc.property(
        ofProgram,
        fc.constantFrom(...SEPARATORS),
        fc.constantFrom(...ZEROS),
        fc.constantFrom('', 'x', 'https://a.example/?n=', 'Order 7, ', '12'),
        (number, by, zero, before) => {
          const text = `${before}${group(inScript(number, zero), by)}`;
          expect(holdsNumberOf(BIN, text)).toBe(true);
          expect(maskNumbersOf(BIN, `${text} end`)).toMatch(/\[card number\] end$/);
          expect(() => refuseCardNumber('name', text)).toThrow('name: must not contain a card number');
        },
      ),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(ofProgram, (number) => {
        expect(holdsNumberOf(BIN, percentEncoded(number))).toBe(true);
      }),
    );
  });

  test('are found with a sign after every digit, and in each field of a list', () => {
    fc.assert(
      fc.property(ofProgram, fc.constantFrom(...SEPARATORS), (number, by) => {
        expect(holdsNumberOf(BIN, [...number].join(by))).toBe(true);
      }),
    );
  });

  test('other long ids are not changed: ids of other issuers, ids that fail the Luhn check, words and UUIDs', () => {
    fc.assert(
      fc.property(cardNumber, digits(16), (number, id) => {
        fc.pre(!number.includes(BIN) && !(id.includes(BIN) && isLuhn(id)));
        expect(holdsNumberOf(BIN, number)).toBe(false);
        expect(maskNumbersOf(BIN, `net-${id}`)).toBe(`net-${id}`);
      }),
    );
    expect(holdsNumberOf(BIN, 'BIN 999900, ref 12345')).toBe(false);
  });

  test('an id of Emboss is never masked or refused', () => {
    const around = ['', 'req_', '12 ', 'auth-', '0123456789, '];
    for (let n = 0; n < 20_000; n++) {
      const id = n % 2 ? randomUUID() : newId(Date.now() + n);
      const text = `${around[n % around.length]}${n % 3 ? id : id.toUpperCase()}`;
      expect(maskCardNumbers(text)).toBe(text);
    }
  });

  test('no text takes long to scan', () => {
    const hostile = ['1%20', '1%2', '%3', '1 - ', '1    ', '12345678901 x', '9', '\uff11.', '%20'];
    for (const piece of hostile) {
      const text = piece.repeat(Math.ceil(65_536 / piece.length));
      const began = process.cpuUsage();
      holdsNumberOf(BIN, text);
      maskCardNumbers(text);
      expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
    }
  });
});
