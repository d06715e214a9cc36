import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amountNumber,
  currencyDigits,
  formatAmount,
  parseAmount,
  parseTimestamp,
  utcDay,
} from '../../sdk/src/index.ts';
import { pauseMs, retryAfterMs } from '../../sdk/src/retry.ts';
import { currencyDigits as serverDigits } from '../../src/kernel/currencies.ts';
import { MAX_AMOUNT_MINOR, formatAmount as serverFormat } from '../../src/kernel/money.ts';

describe('money', () => {
  test.each<[string | number, string, bigint]>([
    ['12.30', 'EUR', 1230n],
    [12.3, 'EUR', 1230n],
    [1.005, 'KWD', 1005n],
    ['-4.05', 'EUR', -405n],
    [250, 'JPY', 250n],
    ['9999999999999.99', 'EUR', 999_999_999_999_999n],
    [9999999999999.99, 'EUR', 999_999_999_999_999n],
  ])('%s %s', (amount, currency, minor) => {
    expect(parseAmount(amount, currency)).toBe(minor);
  });

  test('errors of float arithmetic are refused, not rounded', () => {
    expect(() => parseAmount(0.1 + 0.7, 'EUR')).toThrow(/2 decimals/);
  });

  test.each(['', '1,50', '1e3', 'abc', ' 1', '.5', '5.', Number.NaN, 1e21, 1e-7])(
    '%s is not an amount',
    (amount) => {
      expect(() => parseAmount(amount, 'EUR')).toThrow(RangeError);
    },
  );

  test('an amount that a number cannot represent exactly is refused both ways, and accepted as text', () => {
    // Its double is 80000000000000.02, a cent more.
    for (const [amount, currency] of [
      ['80000000000000.01', 'EUR'],
      ['9007199254740993', 'JPY'],
      ['-9007199254740993', 'JPY'],
    ] as const)
      expect(() => parseAmount(Number(amount), currency)).toThrow(/15 digits/);
    expect(parseAmount('80000000000000.01', 'EUR')).toBe(8_000_000_000_000_001n);
    for (const minor of [8_000_000_000_000_001n, -8_000_000_000_000_001n])
      expect(() => amountNumber(minor, 'EUR')).toThrow(/15 digits/);
  });

  test.each(['constructor', 'toString', '__proto__', 'eur', ''])('%s is not a currency', (currency) => {
    expect(() => parseAmount('1', currency)).toThrow(/unknown currency/);
    expect(() => formatAmount(5n, currency)).toThrow(/unknown currency/);
  });

  test('every amount of every currency converts to text and number and back', () => {
    const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF', 'ISK', 'HUF', 'UGX');
    const minor = fc.bigInt({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR });
    fc.assert(
      fc.property(minor, currency, (amount, code) => {
        expect(formatAmount(amount, code)).toBe(serverFormat(amount, code));
        expect(parseAmount(formatAmount(amount, code), code)).toBe(amount);
        expect(parseAmount(amountNumber(amount, code), code)).toBe(amount);
      }),
    );
  });

  test('decimals are those of ISO 4217, also where Intl differs', () => {
    for (const code of ['UGX', 'ISK', 'HUF', 'IQD', 'COP'])
      expect(currencyDigits(code)).toBe(serverDigits(code));
    expect(() => currencyDigits('XYZ')).toThrow(RangeError);
  });
});

describe('time', () => {
  test('of the API is read to the second', () => {
    expect(parseTimestamp('2026-11-15T08:30:00+0000')).toEqual(new Date('2026-11-15T08:30:00Z'));
    expect(parseTimestamp('2026-11-15T08:30:00Z').getTime()).toBe(Date.UTC(2026, 10, 15, 8, 30));
    expect(parseTimestamp('2026-11-15T10:30:00+02:00').getTime()).toBe(Date.UTC(2026, 10, 15, 8, 30));
    expect(utcDay(parseTimestamp('2026-11-15T23:59:59+0000'))).toBe('2026-11-15');
  });

  test('a leap day is accepted only in a leap year', () => {
    expect(utcDay(parseTimestamp('2028-02-29T08:30:00+0000'))).toBe('2028-02-29');
    expect(utcDay(parseTimestamp('2026-12-31T23:30:00-0100'))).toBe('2027-01-01');
  });

  test.each([
    ...['', '2026-11-15', '2026-13-15T08:30:00+0000', 'yesterday'],
    ...['2026-02-30T08:30:00+0000', '2026-02-29T08:30:00+0000', '2026-11-31T08:30:00Z'],
  ])('%s is not a time', (text) => {
    expect(() => parseTimestamp(text)).toThrow(RangeError);
  });
});

describe('the pause before the next attempt', () => {
  test('grows with jitter, up to eight seconds', () => {
    expect(
      [0, 1, 2, 9].map((attempt) => [pauseMs(attempt, undefined, 0), pauseMs(attempt, undefined, 1)]),
    ).toEqual([
      [125, 250],
      [250, 500],
      [500, 1000],
      [4000, 8000],
    ]);
    expect(pauseMs(0, 3000, 1)).toBe(3000);
  });

  test('is the value of Retry-After, in seconds or as a date', () => {
    const now = Date.parse('2026-11-15T08:30:00Z');
    expect(retryAfterMs('7', now)).toBe(7000);
    expect(retryAfterMs('Sun, 15 Nov 2026 08:30:05 GMT', now)).toBe(5000);
    expect(retryAfterMs('Sun, 15 Nov 2026 08:00:00 GMT', now)).toBe(0);
    for (const none of [null, '', 'soon']) expect(retryAfterMs(none, now)).toBeUndefined();
  });
});
