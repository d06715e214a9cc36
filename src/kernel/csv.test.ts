import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, readCsv } from './csv.ts';

const cellsOf = (text: string) => readCsv(text).map(({ cells }) => cells);

test.each<[string, string, string[][]]>([
  [
    'values, and both line ends',
    'a,b\r\n1,2\n3,4',
    [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  ['a last line with its end', 'a\n1\n', [['a'], ['1']]],
  [
    'quotes, separators and line breaks in quotes',
    'a,b\n"x, ""y""\nz",2',
    [
      ['a', 'b'],
      ['x, "y"\nz', '2'],
    ],
  ],
  [
    'empty values, also the last one',
    'a,b,c\n,,\n1,"",',
    [
      ['a', 'b', 'c'],
      ['', '', ''],
      ['1', '', ''],
    ],
  ],
  [
    'semicolons, if the first line has no comma',
    'a;b\n1,5;2',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  ['a byte order mark, and empty lines', '\uFEFFa\n\n\n1\n\n', [['a'], ['1']]],
  ['nothing', '', []],
])('%s', (_, text, cells) => {
  expect(cellsOf(text)).toEqual(cells);
});

test('a record has the line on which it begins', () => {
  expect(readCsv('a,b\n"1\n\n2",x\n\n3,4').map(({ line }) => line)).toEqual([1, 2, 6]);
});

test.each([
  ['a\n"b', 'csv: line 2: a quoted value does not end'],
  ['a\nx"y', 'csv: line 2: a value with a quote must begin and end with one, and double those inside'],
  ['a\n\n"x"y', 'csv: line 3: a value with a quote must begin and end with one, and double those inside'],
  ['a\rb', 'csv: line 1: a value with a quote must begin and end with one, and double those inside'],
])('%j is refused', (text, message) => {
  expect(() => readCsv(text)).toThrow(message);
});

test('what is written is read again', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\n', '\r\n', ' ') });
  const record = fc.array(cell, { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(record), (records) => {
      // The first line has a comma, so that is the separator.
      const all = [['head', 'er'], ...records];
      expect(cellsOf(all.map(csvLine).join(''))).toEqual(all);
    }),
  );
});
