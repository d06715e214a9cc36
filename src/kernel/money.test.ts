import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { halfEvenShare } from '../../test/model/half-even.ts';
import { currencyDigits, isCurrency } from './currencies.ts';
import {
  amountFromNumber,
  amountToNumber,
  basisPoints,
  formatAmount,
  MAX_AMOUNT_MINOR,
  parseAmount,
} from './money.ts';

/** ISO 4217 where it is not two: the whole list. */
const DIGITS: Record<string, number> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
};
/** One currency of each exponent. */
const currency = fc.constantFrom('JPY', 'EUR', 'KWD', 'CLF');
const minor = fc.bigInt({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR });

describe('currencies', () => {
  const codes = Array.from({ length: 26 ** 3 }, (_, n) =>
    String.fromCharCode(65 + Math.floor(n / 676), 65 + (Math.floor(n / 26) % 26), 65 + (n % 26)),
  ).filter(isCurrency);

  test('every currency has its ISO exponent', () => {
    for (const code of codes) expect([code, currencyDigits(code)]).toEqual([code, DIGITS[code] ?? 2]);
    for (const code of Object.keys(DIGITS)) expect(codes).toContain(code);
  });

  test('current ISO 4217 currencies are known; old codes and codes that are not money are not', () => {
    expect(codes.length).toBeGreaterThan(150);
    for (const code of 'EUR USD GBP CHF JPY CNY INR BRL ZAR AUD NGN XCG SLE VES ZWG'.split(' '))
      expect(codes).toContain(code);
    for (const code of ['XXX', 'XTS', 'XAU', 'DEM', 'HRK', 'SLL', 'eur', 'EU', 'EURO', '', '978'])
      expect([code, isCurrency(code)]).toEqual([code, false]);
    expect(() => currencyDigits('DEM')).toThrow(RangeError);
  });
});

describe('amounts', () => {
  test.each([
    ['12.30', 'EUR', 1230n],
    ['12.3', 'EUR', 1230n],
    ['12', 'EUR', 1200n],
    ['0.05', 'EUR', 5n],
    ['-0.05', 'EUR', -5n],
    ['0', 'EUR', 0n],
    ['-0', 'EUR', 0n],
    ['1200', 'JPY', 1200n],
    ['1.234', 'KWD', 1234n],
    ['0.0001', 'CLF', 1n],
    ['99999999999999999999.99', 'EUR', 9_999_999_999_999_999_999_999n],
  ])('%s %s is %s', (text, code, expected) => {
    expect(parseAmount(text, code)).toBe(expected);
  });

  test.each([
    ['12.345', 'EUR'],
    ['12.300', 'EUR'],
    ['1.0', 'JPY'],
    ['1.2345', 'KWD'],
    ['', 'EUR'],
    ['.5', 'EUR'],
    ['5.', 'EUR'],
    ['+5', 'EUR'],
    ['1e3', 'EUR'],
    ['1,50', 'EUR'],
    ['1 000', 'EUR'],
    ['0x10', 'EUR'],
    ['--1', 'EUR'],
    ['٣', 'EUR'],
    [' 1', 'EUR'],
    ['1\n', 'EUR'],
    ['Infinity', 'EUR'],
  ])('%j %s is not an amount', (text, code) => {
    expect(parseAmount(text, code)).toBeUndefined();
  });

  test.each([
    [1230n, 'EUR', '12.30'],
    [5n, 'EUR', '0.05'],
    [-5n, 'EUR', '-0.05'],
    [0n, 'EUR', '0.00'],
    [0n, 'JPY', '0'],
    [-1200n, 'JPY', '-1200'],
    [1n, 'KWD', '0.001'],
    [1n, 'CLF', '0.0001'],
  ])('%s in %s is formatted as %s', (value, code, expected) => {
    expect(formatAmount(value, code)).toBe(expected);
  });

  test('text and minor units convert both ways without loss', () => {
    fc.assert(
      fc.property(fc.bigInt(), currency, (value, code) => {
        expect(parseAmount(formatAmount(value, code), code)).toBe(value);
      }),
    );
  });

  test('JSON numbers convert both ways without loss, for every accepted amount', () => {
    fc.assert(
      fc.property(minor, currency, (value, code) => {
        const json = JSON.stringify(amountToNumber(value, code));
        expect(amountFromNumber(JSON.parse(json), code)).toBe(value);
      }),
      {
        numRuns: 2_000,
        examples: [
          [MAX_AMOUNT_MINOR, 'CLF'],
          [-MAX_AMOUNT_MINOR, 'JPY'],
          [1n, 'CLF'],
        ],
      },
    );
  });

  test('an additional decimal is refused, never rounded', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 9 }), currency, (whole, last, code) => {
        const text = `${whole}.${'0'.repeat(currencyDigits(code))}${last}`;
        expect(parseAmount(text, code)).toBeUndefined();
        expect(amountFromNumber(Number(text), code)).toBeUndefined();
      }),
    );
  });

  test.each([1e-7, 1e21, 1e300, Number.NaN, Number.POSITIVE_INFINITY, 0.001])(
    'the number %d is not a EUR amount',
    (value) => {
      expect(amountFromNumber(value, 'EUR')).toBeUndefined();
    },
  );
  test('numbers such as 0.1 keep their decimal value', () => {
    expect(
      [0.1, 0.29, 1.15, 4.35, 8.41, -0, 1234567.89].map((value) => amountFromNumber(value, 'EUR')),
    ).toEqual([10n, 29n, 115n, 435n, 841n, 0n, 123456789n]);
  });
});

describe('every exponent of ISO 4217', () => {
  /** The largest amount and its neighbours as text, and one minor unit. */
  test.each([
    ['JPY', 0, '999999999999999', '1'],
    ['EUR', 2, '9999999999999.99', '0.01'],
    ['KWD', 3, '999999999999.999', '0.001'],
    ['CLF', 4, '99999999999.9999', '0.0001'],
  ])('%s has %i decimals, up to %s', (code, digits, largest, smallest) => {
    expect(currencyDigits(code)).toBe(digits);
    expect([formatAmount(MAX_AMOUNT_MINOR, code), formatAmount(1n, code)]).toEqual([largest, smallest]);
    expect([parseAmount(largest, code), parseAmount(smallest, code)]).toEqual([MAX_AMOUNT_MINOR, 1n]);
    expect(parseAmount(`-${largest}`, code)).toBe(-MAX_AMOUNT_MINOR);
    expect(String(amountToNumber(MAX_AMOUNT_MINOR, code))).toBe(largest);
  });

  test('amounts near the largest convert both ways as text, where floats would lose precision', () => {
    for (const code of ['JPY', 'EUR', 'KWD', 'CLF'])
      for (let value = MAX_AMOUNT_MINOR - 2_000n; value <= MAX_AMOUNT_MINOR; value++)
        if (parseAmount(formatAmount(value, code), code) !== value)
          throw new Error(`${value} in ${code} does not come back`);
  });

  test('text beyond the range of a float or 64 bits is exact', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), currency, (value, code) => {
        const text = formatAmount(value, code);
        expect(text.replace('.', '').replace(/^0+(?=\d)/, '')).toBe(String(value));
        expect(text.split('.')[1]?.length ?? 0).toBe(currencyDigits(code));
        expect(parseAmount(text, code)).toBe(value);
      }),
    );
  });
});

describe('basis points', () => {
  test.each([
    [10_000n, 0, 0n],
    [10_000n, 1, 1n],
    [10_000n, 10_000, 10_000n],
    [0n, 250, 0n],
    [5_000n, 1, 0n],
    [4_999n, 1, 0n],
    [5_001n, 1, 1n],
    [15_000n, 1, 2n],
    [14_999n, 1, 1n],
    [25_000n, 1, 2n],
    [25_001n, 1, 3n],
    [35_000n, 1, 4n],
    [20n, 250, 0n],
    [60n, 250, 2n],
    [100n, 250, 2n],
    [140n, 250, 4n],
    [999n, 150, 15n],
    [MAX_AMOUNT_MINOR, 10_000, MAX_AMOUNT_MINOR],
    [MAX_AMOUNT_MINOR, 5_000, 500_000_000_000_000n],
    [MAX_AMOUNT_MINOR - 2n, 5_000, 499_999_999_999_998n],
  ])('of %s, %i: %s', (amount, bps, share) => {
    expect(basisPoints(amount, bps)).toBe(share);
  });

  test('rounds half to even, compared with an exact search', () => {
    const amount = fc.oneof(
      fc.bigInt({ min: 0n, max: MAX_AMOUNT_MINOR }),
      // Often exactly in the middle of two whole numbers.
      fc.bigInt({ min: 0n, max: 10n ** 11n }).map((n) => n * 1_000n),
      fc.bigInt({ min: 0n, max: 400n }),
    );
    const rate = fc.oneof(fc.nat(10_000), fc.constantFrom(5, 15, 25, 50, 125, 250, 5_000));
    fc.assert(
      fc.property(amount, rate, (value, bps) => {
        expect(basisPoints(value, bps)).toBe(halfEvenShare(value, bps));
      }),
      { numRuns: 2_000 },
    );
  });

  test('rounds all small amounts exactly at rates that give halves', () => {
    const wrong: string[] = [];
    for (const bps of [25, 50, 100, 125, 250, 500, 625, 1_250, 2_500, 5_000])
      for (let value = 0n; value <= 1_000n; value++)
        if (basisPoints(value, bps) !== halfEvenShare(value, bps)) wrong.push(`${bps} of ${value}`);
    expect(wrong).toEqual([]);
  });
});
