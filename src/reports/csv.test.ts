import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from '../../test/support/reports/csv.ts';
import { csvCell, harmless } from './csv.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\rrest', "'\rrest"],
  ['  =1', "'  =1"],
  ['\u00a0=1', "'\u00a0=1"],
  ['\ufeff=1', "'\ufeff=1"],
  ['\u200f\u202e=1', "'\u200f\u202e=1"],
  ['＝1', "'＝1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠1', "'＠1"],
  // A new cell in locales that separate cells by semicolons.
  ['Shop;=1+1', "Shop;'=1+1"],
  ['Shop; -1', "Shop;' -1"],
  ['=1;=2', "'=1;'=2"],
  // Written as `"x;""=1+1;"`: the second cell is an empty quoted text and the text after it.
  ['x;"=1+1;', `x;'"=1+1;`],
  ['x; "" =1', `x;' "" =1`],
])('%j is prefixed so that it is not a formula', (text, expected) => {
  expect(harmless(text)).toBe(expected);
});

test.each([
  "O'Brien",
  'Jean-Luc',
  'a=b',
  '1-2',
  'x@y.example',
  'Shop; Café',
  '',
  '🦄',
  'שלום',
  '100% + more',
])('%j is not changed', (text) => {
  expect(harmless(text)).toBe(text);
});

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('=', '+', '-', '@', '"', ',', ';', "'", '\r', '\n', '\t', ' ', '\u200f', '＝', '🦄', 'a'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
});

/** The cells of a line in a spreadsheet that separates them by semicolons. Quotes count only at the start of a cell. */
const semicolonCells = (line: string): string[] =>
  [...`${line};`.matchAll(/(?:"((?:[^"]|"")*)")?([^;]*);/g)].map(
    ([, quoted = '', rest = '']) => quoted.replaceAll('""', '"') + rest,
  );

test('the cells of a line separated by semicolons', () => {
  expect(semicolonCells('a,"x;""=1+1;",b')).toEqual(['a,"x', '=1+1', '",b']);
  expect(semicolonCells('"a;""b";c')).toEqual(['a;"b', 'c']);
});

test('no cell begins like a formula if a reader splits at semicolons', () => {
  const oneLine = hostile.map((text) => text.replaceAll(/[\r\n]/g, ''));
  fc.assert(
    fc.property(oneLine, oneLine, (one, other) => {
      for (const cell of semicolonCells(`2026-11-01,${csvCell(one)},${csvCell(other)}`))
        expect(cell.trim()).not.toMatch(/^[=+\-@＝＋－＠]/);
    }),
    { numRuns: 2_000 },
  );
});

test('any text survives a CSV parser, and none of its cells begins like a formula', () => {
  fc.assert(
    fc.property(hostile, hostile, (one, other) => {
      const records = parseCsv(`${csvCell(one)},${csvCell(other)}\r\n`);
      expect(records).toEqual([[harmless(one), harmless(other)]]);
      for (const cell of records.flat().flatMap((text) => text.split(';')))
        expect(cell.trim()).not.toMatch(/^[=+\-@＝＋－＠]/);
    }),
    { numRuns: 1_000 },
  );
});
