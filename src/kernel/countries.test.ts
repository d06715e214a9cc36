import { expect, test } from 'vitest';
import { isCountryAlpha2, isCountryAlpha3 } from './countries.ts';

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
const PAIRS = LETTERS.flatMap((a) => LETTERS.map((b) => a + b));
const TRIPLES = PAIRS.flatMap((pair) => LETTERS.map((c) => pair + c));

test('ISO 3166-1 has 249 entries, in two letters and in three', () => {
  expect(PAIRS.filter(isCountryAlpha2)).toHaveLength(249);
  expect(TRIPLES.filter(isCountryAlpha3)).toHaveLength(249);
});

test.each([
  ['GB', 'GBR'],
  ['DE', 'DEU'],
  ['CH', 'CHE'],
  ['US', 'USA'],
  ['TW', 'TWN'],
  ['PS', 'PSE'],
  ['SS', 'SSD'],
  ['AX', 'ALA'],
  ['BQ', 'BES'],
  ['UM', 'UMI'],
  ['ZW', 'ZWE'],
])('%s and %s are codes, each only in its own list', (alpha2, alpha3) => {
  expect([isCountryAlpha2(alpha2), isCountryAlpha3(alpha3)]).toEqual([true, true]);
  expect([isCountryAlpha2(alpha3), isCountryAlpha3(alpha2)]).toEqual([false, false]);
});

test.each(['UK', 'EU', 'XK', 'AN', 'SU', 'ZZ', 'XX', 'gb', 'Gb', 'G', '', 'GB ', '82'])(
  '%j is not an alpha-2 code',
  (code) => {
    expect(isCountryAlpha2(code)).toBe(false);
  },
);

test.each(['UNK', 'XXX', 'ANT', 'SUN', 'YUG', 'ROM', 'ZAR', 'gbr', 'Gbr', '', 'GBR ', '826'])(
  '%j is not an alpha-3 code',
  (code) => {
    expect(isCountryAlpha3(code)).toBe(false);
  },
);
