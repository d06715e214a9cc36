import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  csvOf,
  type Dialect,
  type FileLine,
  linesOf,
  ndjsonOf,
  recordOf,
} from '../../test/support/settlement/records.ts';
import { readCsv } from '../kernel/csv.ts';
import { reveal } from '../kernel/secret.ts';
import type { FileFormat, Position } from './clearing-file.ts';
import { LONGEST_LINE } from './read-lines.ts';
import { readHead, readRecords } from './read-records.ts';
import { type Rejection, rejectionOf } from './rejection.ts';

const FILE = 'file-1';

async function* chunksOf(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield Buffer.from(content.subarray(at, at + size));
}

interface Read {
  line: number;
  end: Position;
  fields: Record<string, unknown>;
}

/** The records with their numbers, and why the reading ended. */
async function read(content: Buffer | string, format: FileFormat, size = 1_000, position?: Position) {
  const bytes = Buffer.from(content);
  const records: Read[] = [];
  let rejected: Rejection | undefined;
  try {
    const isInside = format === 'csv' && position && position.bytes > 0;
    const head = isInside ? await readHead(chunksOf(bytes, size)) : undefined;
    const from = position && { position, head };
    for await (const item of readRecords(
      chunksOf(bytes.subarray(position?.bytes ?? 0), size),
      format,
      from,
    )) {
      const fields =
        item.kind === 'record' ? item.record : item.kind === 'header' ? item.header : item.trailer;
      const number = item.kind === 'record' && item.number ? { card_number: reveal(item.number) } : {};
      records.push({ line: item.line, end: item.end, fields: { ...fields, ...number } });
    }
  } catch (error) {
    rejected = rejectionOf(error);
    if (!rejected) throw error;
  }
  return { records, rejected };
}

const fieldsOf = async (...given: Parameters<typeof read>) =>
  (await read(...given)).records.map(({ fields }) => fields);

const money = fc.integer({ min: 1, max: 10_000_000 }).map((minor) => (minor / 100).toFixed(2));
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((text) => !/[\p{C}\p{Z}]/u.test(text) && text.isWellFormed());
const given = <Shape extends object>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined));
const record = fc
  .record({
    type: fc.constantFrom('clearing', 'refund', 'clearing_reversal', 'refund_reversal'),
    amount: money,
    id: fc.uuid(),
    number: optional(fc.constantFrom('9999000000000000', '9999001234567890')),
    final: optional(fc.boolean()),
    presentment: optional(fc.constantFrom(1, 2)),
    arn: optional(name),
    shop: optional(name),
  })
  .map(({ type, amount, id, number, final, presentment, arn, shop }) =>
    recordOf(
      type,
      amount,
      given({
        network_id: id,
        ...(type.endsWith('_reversal') ? { reverses: 'clr-1' } : { external_transaction_id: 'net-1' }),
        ...{ card_number: number, final, presentment, arn },
        merchant: shop === undefined ? undefined : { id: 'm-1', mcc: '5411', name: shop },
      }),
    ),
  );
const file = fc.array(record, { maxLength: 8 }).map((records) => linesOf(FILE, records));
const dialect: fc.Arbitrary<Dialect> = fc.record({
  separator: fc.constantFrom(',', ';'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  mark: fc.constantFrom('', '\uFEFF'),
  quoteAll: fc.boolean(),
});
const chunk = fc.integer({ min: 1, max: 300 });

describe('what a writer has written is read, however it arrives', () => {
  test('as ndjson', () =>
    fc.assert(
      fc.asyncProperty(
        file,
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('', '\uFEFF'),
        chunk,
        async (lines, end, mark, size) => {
          const text = mark + ndjsonOf(lines).replaceAll('\n', end);
          expect(await fieldsOf(text, 'ndjson', size)).toEqual(lines);
        },
      ),
    ));

  test('as CSV, in the dialects of libraries and spreadsheets', () =>
    fc.assert(
      fc.asyncProperty(file, dialect, chunk, async (lines, written, size) => {
        const { records, rejected } = await read(csvOf(lines, written), 'csv', size);
        expect([rejected, records.map(({ fields }) => fields)]).toEqual([undefined, lines]);
      }),
    ));

  test('from the position after any record', () =>
    fc.assert(
      fc.asyncProperty(file, fc.boolean(), fc.nat(), chunk, async (lines, isCsv, choice, size) => {
        const [text, format] = isCsv ? [csvOf(lines), 'csv' as const] : [ndjsonOf(lines), 'ndjson' as const];
        const { records } = await read(text, format, size);
        const index = choice % records.length;
        const rest = await read(text, format, size, records[index]?.end);
        expect(rest).toEqual({ records: records.slice(index + 1), rejected: undefined });
      }),
    ));
});

/** A byte changed, inserted or removed, a part cut out, or lines swapped. */
const mutation = fc.record({
  kind: fc.constantFrom('change', 'insert', 'remove', 'cut'),
  at: fc.nat(),
  byte: fc.oneof(
    fc.constantFrom(...[...'",;\r\n{}\\:0'].map((sign) => sign.charCodeAt(0)), 0, 0xff, 0xef),
    fc.integer({ min: 0, max: 255 }),
  ),
  length: fc.integer({ min: 1, max: 200 }),
});
function mutate(
  content: Buffer,
  { kind, at, byte, length }: { kind: string; at: number; byte: number; length: number },
): Buffer {
  const index = at % content.length;
  const [before, after] = [content.subarray(0, index), content.subarray(index)];
  if (kind === 'change') return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)]);
  if (kind === 'insert') return Buffer.concat([before, Buffer.from([byte]), after]);
  return Buffer.concat([before, after.subarray(kind === 'remove' ? 1 : length)]);
}

/** What another reader makes of the text: without types, without unknown fields. */
const plain = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([part, of]) => [`${key}.${part}`, String(of)])
        : [[key, String(value)]],
    ),
  );

describe('a damaged file is read right, or rejected by its line: never half', () => {
  test('as ndjson, by JSON.parse', () =>
    fc.assert(
      fc.asyncProperty(file, mutation, chunk, async (lines, change, size) => {
        const content = mutate(Buffer.from(ndjsonOf(lines)), change);
        const { records, rejected } = await read(content, 'ndjson', size);
        const texts = content.toString().split('\n');
        if (rejected) expect(rejected.line).toBeLessThanOrEqual(texts.length);
        for (const { line, fields } of records) {
          const text = texts[line - 1]?.replace(/\r$/, '').replace(/^\uFEFF/, '') ?? '';
          expect(fields).toEqual(JSON.parse(text));
        }
        const before = rejected?.line ?? texts.length + 1;
        const wanted = texts.flatMap((text, index) =>
          text.replace(/\r$/, '') === '' || index + 1 >= before ? [] : [index + 1],
        );
        expect(records.map(({ line }) => line)).toEqual(wanted);
      }),
      { numRuns: 1_000 },
    ));

  test('as CSV, by the reader of card files', () =>
    fc.assert(
      fc.asyncProperty(file, dialect, mutation, chunk, async (lines, written, change, size) => {
        const content = mutate(Buffer.from(csvOf(lines, written)), change);
        const { records, rejected } = await read(content, 'csv', size);
        if (rejected) {
          expect(rejected.rule).not.toBe('');
          return;
        }
        const [head, ...others] = readCsv(content.toString());
        const wanted = others.map(({ line, cells }) => ({
          line,
          fields: Object.fromEntries(
            (head?.cells ?? []).flatMap((column, index) =>
              cells[index] === '' ? [] : [[column, cells[index]]],
            ),
          ),
        }));
        const found = records.map(({ line, fields }) => ({ line, fields: plain(fields) }));
        expect(found).toEqual(wanted);
      }),
      { numRuns: 1_000 },
    ));
});

const refund = recordOf('refund', '1.00', { network_id: 'ref-1', external_transaction_id: 'net-1' });
const header = { record_type: 'header', file_id: FILE, settlement_date: '2026-11-17', currency: 'EUR' };
const trailer = { record_type: 'trailer', count: 1, debit_total: '0.00', credit_total: '1.00' };

const WRONG: Array<[string, FileLine, string | null, string]> = [
  [
    'an unknown type',
    { ...refund, record_type: 'chargeback' },
    'record_type',
    'must be one of header, trailer, clearing',
  ],
  ['a type to come', { ...refund, record_type: 'fee' }, 'record_type', 'fee is not supported yet'],
  ['no type', { network_id: 'ref-1' }, 'record_type', 'is required'],
  ['no id', { ...refund, network_id: undefined }, 'network_id', 'is required'],
  ['an empty id', { ...refund, network_id: ' ' }, 'network_id', 'must not be empty'],
  ['a number for an amount', { ...refund, amount: 1 }, 'amount', 'must be a string'],
  [
    'a comma in an amount',
    { ...refund, bill_amount: '1,00' },
    'bill_amount',
    'must be a decimal of at least 0, such as "12.50"',
  ],
  ['an unknown currency', { ...refund, currency: 'EUX' }, 'currency', 'must be an ISO 4217 currency code'],
  [
    'a card number as a spreadsheet shows it',
    { ...refund, card_number: '9.999E+15' },
    'card_number',
    'must be 12 to 19 digits',
  ],
  [
    'a time without a zone',
    { ...refund, event_time: '2026-11-17 10:00' },
    'event_time',
    'must be a time as YYYY-MM-DDThh:mm:ssZ',
  ],
  [
    'a day that does not exist',
    { ...refund, event_time: '2026-02-30T10:00:00Z' },
    'event_time',
    'must be a time that exists',
  ],
  ['a third presentment', { ...refund, presentment: 3 }, 'presentment', 'must be at most 2'],
  ['text for a boolean', { ...refund, final: 'yes' }, 'final', 'must be a boolean'],
  ['a merchant without a code', { ...refund, merchant: { id: 'm-1' } }, 'merchant.mcc', 'is required'],
  [
    'a control character',
    { ...refund, arn: 'a\u0007b' },
    'arn',
    'must not contain control or invalid characters',
  ],
  [
    'a reversal of nothing',
    { ...refund, record_type: 'refund_reversal' },
    'reverses',
    'is required in a refund_reversal',
  ],
  ['a refund that reverses', { ...refund, reverses: 'x' }, 'reverses', 'must not be in a refund'],
  [
    'a clearing without a purchase',
    { ...refund, record_type: 'clearing', external_transaction_id: undefined },
    'external_transaction_id',
    'is required: a clearing that names no purchase is not supported yet',
  ],
];

describe.each(['ndjson', 'csv'] as const)('a rejection as %s', (format) => {
  const write = (lines: FileLine[]) => (format === 'csv' ? csvOf(lines) : ndjsonOf(lines));
  const third = format === 'csv' ? 4 : 3;
  const lines = WRONG.filter(([what]) => format === 'ndjson' || what !== 'a number for an amount');

  test.each(lines)('%s', async (_, wrong, field, rule) => {
    const { records, rejected } = await read(write([header, refund, wrong, trailer]), format);
    expect([records.length, rejected]).toEqual([
      2,
      { line: third, field, rule: expect.stringContaining(rule) },
    ]);
  });
});

test.each<[string, FileFormat, string | Buffer, Rejection]>([
  ['no JSON', 'ndjson', '{"a":1\n', { line: 1, field: null, rule: 'must be JSON' }],
  ['a list', 'ndjson', '[]\n', { line: 1, field: null, rule: 'must be a JSON object' }],
  [
    'the same key twice',
    'ndjson',
    '{"a":1,"a":2}\n',
    { line: 1, field: null, rule: 'must not have the same key twice in one object' },
  ],
  [
    'another encoding',
    'ndjson',
    Buffer.from('\uFEFF{"record_type":"header"}\n', 'utf16le'),
    { line: 1, field: null, rule: 'must be UTF-8 text' },
  ],
  [
    'a line without an end',
    'ndjson',
    `\n${'x'.repeat(LONGEST_LINE + 1)}`,
    { line: 2, field: null, rule: 'must be at most 16384 bytes' },
  ],
  [
    'a quote that does not end',
    'csv',
    'record_type,arn\nclearing,"a\n\n',
    { line: 2, field: null, rule: 'a quoted value does not end' },
  ],
  [
    'a quote in a value, before a long rest',
    'csv',
    `record_type,arn\nclearing,a"b\n${'x,y\n'.repeat(LONGEST_LINE)}`,
    {
      line: 2,
      field: null,
      rule: 'a value with a quote must begin and end with one, and double those inside',
    },
  ],
  [
    'too few values',
    'csv',
    'record_type,arn\nclearing\n',
    { line: 2, field: null, rule: 'has 1 values, and the first line 2' },
  ],
  [
    'another first column',
    'csv',
    'arn,record_type\n',
    { line: 1, field: 'record_type', rule: 'must be the name of the first column' },
  ],
  [
    'a column twice',
    'csv',
    'record_type,arn,arn\n',
    { line: 1, field: 'arn', rule: 'must be the name of one column' },
  ],
  [
    'a misspelt column',
    'csv',
    'record_type,bill_amout\n',
    { line: 1, field: 'bill_amout', rule: 'is not the name of a column; did you mean bill_amount?' },
  ],
  [
    'data for names',
    'csv',
    'record_type,9999000000000000\n',
    { line: 1, field: null, rule: 'is not the name of a column' },
  ],
  [
    'the line ends of old',
    'csv',
    'record_type,arn\rclearing,a\r',
    { line: 1, field: null, rule: 'is not the name of a column' },
  ],
])('%s is rejected', async (_, format, content, rejected) => {
  const found = await read(content, format);
  expect(found).toEqual({
    records: [],
    rejected: { ...rejected, rule: expect.stringContaining(rejected.rule) },
  });
});

test('a rejection repeats no card number', async () => {
  const text = ndjsonOf([{ ...refund, record_type: '9999000000000000', card_number: '9999 0000 0000 0000' }]);
  const { rejected } = await read(text, 'ndjson');
  expect(JSON.stringify(rejected)).not.toMatch(/\d{8}/);
});
