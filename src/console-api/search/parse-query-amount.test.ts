import { expect, test } from 'vitest';
import { parseQueryAmount } from './parse-query-amount.ts';

test.each<[text: string, currency: string, minor: bigint | undefined]>([
  ['12.34', 'EUR', 1_234n],
  ['12,34', 'EUR', 1_234n],
  ['€12.34', 'EUR', 1_234n],
  ['12,34 €', 'EUR', 1_234n],
  ['EUR 12.3', 'EUR', 1_230n],
  ['12', 'EUR', 1_200n],
  ['1,234.56', 'EUR', 123_456n],
  ['1.234,56', 'EUR', 123_456n],
  ["1'234.56", 'EUR', 123_456n],
  ['1,234', 'EUR', 123_400n],
  ['1 234 567', 'EUR', 123_456_700n],
  ['500', 'JPY', 500n],
  ['500.5', 'JPY', undefined],
  ['12.345,6', 'EUR', 1_234_560n],
  ['0', 'EUR', undefined],
  ['1.2.3', 'EUR', undefined],
  ['7700900123456', 'EUR', undefined],
  ['12a', 'EUR', undefined],
  ['lovelace', 'EUR', undefined],
  ['', 'EUR', undefined],
])('%s in %s', (text, currency, minor) => {
  expect(parseQueryAmount(text, currency)).toBe(minor);
});
