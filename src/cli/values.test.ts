import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import { durationMs, expiry, scopeList } from './values.ts';

test.each([
  ['0s', 0],
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['3650d', 315_360_000_000],
])('%s is %i ms', (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});

test.each(['', '5', 'm', '-5m', '1.5h', '5 m', '5M', '1w', '3651d', '9999999999s'])(
  '%j is not a duration',
  (text) => {
    expect(() => durationMs(text)).toThrow(InvalidArgumentError);
  },
);

describe('expiry', () => {
  test.each([
    ['2027-01-31', '2027-02-01T00:00:00.000Z'],
    ['2028-02-29', '2028-03-01T00:00:00.000Z'],
    ['2027-01-31T12:30:00Z', '2027-01-31T12:30:00.000Z'],
    ['2027-01-31T12:30:00+02:00', '2027-01-31T10:30:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(expiry(text).at?.toISOString()).toBe(moment);
  });

  test('a duration counts from now, and `never` means no expiry', () => {
    expect(Math.abs((expiry('90d').at?.getTime() ?? 0) - Date.now() - 90 * 86_400_000)).toBeLessThan(60_000);
    expect(expiry('never').at).toBeNull();
  });

  test.each(['2027-02-29', '2027-13-01', 'tomorrow', '2027-01-31T12:30:00', ''])(
    '%j is not an expiry',
    (text) => {
      expect(() => expiry(text)).toThrow(InvalidArgumentError);
    },
  );
});

test('scopes are sorted and deduplicated', () => {
  expect(scopeList('credentials,read, read')).toEqual(['read', 'credentials']);
  for (const text of ['', 'read,', 'admin', 'Read'])
    expect(() => scopeList(text)).toThrow(InvalidArgumentError);
});
