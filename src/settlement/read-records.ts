import { parseJson, scanJson } from '../http/scan-json.ts';
import { checkOf } from '../http/schema-compilers.ts';
import { isDay } from '../kernel/calendar.ts';
import { type Secret, secret, wipe } from '../kernel/secret.ts';
import { findUncleanText } from '../kernel/text.ts';
import type { FileFormat, Position } from './clearing-file.ts';
import { type CsvHead, readCsvHead, readCsvRecord } from './read-csv-record.ts';
import { LONGEST_LINE, type RawLine, readLines } from './read-lines.ts';
import { BOOKED_TYPES, FileRecord, HeaderRecord, LATER_TYPES, TrailerRecord } from './record-schema.ts';
import { rejection, rejectionAt } from './rejection.ts';

/** One record of a file, with its position. */
export type ReadRecord = { line: number; end: Position } & (
  | { kind: 'header'; header: HeaderRecord }
  | { kind: 'record'; record: FileRecord; number: Secret | undefined }
  | { kind: 'trailer'; trailer: TrailerRecord }
);

const checkHeader = checkOf(HeaderRecord);
const checkTrailer = checkOf(TrailerRecord);
const checkRecord = checkOf(FileRecord);
const SECRETS: ReadonlySet<string> = new Set(['card_number']);
const MARK = Buffer.from('\uFEFF');

/** Where the reading begins. In the middle of a CSV file, with the names of its columns. */
export interface From {
  position: Position;
  head?: CsvHead | undefined;
}

/**
 * The records of a file, in order. Pure: it knows no other record of the file and no program. Throws a rejection for the
 * first line that cannot be read. The caller wipes the numbers.
 */
export async function* readRecords(
  content: AsyncIterable<Buffer>,
  format: FileFormat,
  from: From = { position: { bytes: 0, line: 0 } },
): AsyncGenerator<ReadRecord> {
  let { head } = from;
  const isCsv = format === 'csv';
  for await (const given of readLines(content, { isCsv, from: from.position })) {
    const raw = withoutMark(given);
    if (raw.bytes.length === 0) continue;
    if (isCsv && !head) {
      head = readCsvHead(raw);
      continue;
    }
    yield readRecord(raw, head);
  }
}

/** The names of the columns, from the beginning of a CSV file. */
export async function readHead(content: AsyncIterable<Buffer>): Promise<CsvHead> {
  for await (const given of readLines(content, { isCsv: true })) {
    const raw = withoutMark(given);
    if (raw.bytes.length > 0) return readCsvHead(raw);
  }
  throw rejection(1, 'record_type', 'must be the name of the first column');
}

/** Spreadsheets begin a file with a byte order mark. */
const withoutMark = (raw: RawLine): RawLine =>
  raw.line === 1 && raw.bytes.subarray(0, MARK.length).equals(MARK)
    ? { ...raw, bytes: raw.bytes.subarray(MARK.length) }
    : raw;

function readRecord(raw: RawLine, head: CsvHead | undefined): ReadRecord {
  const { line, end } = raw;
  const { fields, number } = head ? readCsv(raw, head) : readJsonRecord(raw);
  try {
    const unclean = findUncleanText(fields, true);
    if (unclean !== undefined)
      throw rejection(
        line,
        unclean === 'body' ? null : unclean,
        'must not contain control or invalid characters',
      );
    return { line, end, ...kindOf(line, fields, number) };
  } catch (error) {
    wipe(number);
    throw rejectionAt(line, error);
  }
}

function readCsv(raw: RawLine, head: CsvHead) {
  // What made it so long is often a misplaced quote.
  const read = raw.isCut ? tooLong(raw, head) : readCsvRecord(raw, head);
  return read;
}

function tooLong(raw: RawLine, head: CsvHead): never {
  try {
    readCsvRecord(raw, head);
  } catch (error) {
    if (String(error).includes('a value with a quote')) throw error;
  }
  throw rejection(raw.line, null, `must be at most ${LONGEST_LINE} bytes`);
}

function readJsonRecord({ bytes, line, isCut }: RawLine): {
  fields: Record<string, unknown>;
  number: Secret | undefined;
} {
  if (isCut) throw rejection(line, null, `must be at most ${LONGEST_LINE} bytes`);
  const lifted = new Map<string, Buffer>();
  try {
    const fields = parseJson(bytes, scanJson(bytes, SECRETS, lifted));
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      throw rejection(line, null, 'must be a JSON object');
    const number = lifted.get('card_number');
    return { fields: fields as Record<string, unknown>, number: number && secret(number) };
  } catch (error) {
    for (const value of lifted.values()) value.fill(0);
    throw rejectionAt(line, error);
  }
}

type Kind =
  | { kind: 'header'; header: HeaderRecord }
  | { kind: 'record'; record: FileRecord; number: Secret | undefined }
  | { kind: 'trailer'; trailer: TrailerRecord };

function kindOf(line: number, fields: Record<string, unknown>, number: Secret | undefined): Kind {
  const type = fields['record_type'];
  if ((type === 'header' || type === 'trailer') && number)
    throw rejection(line, 'card_number', `must not be in a ${type}`);
  if (type === 'header') return { kind: type, header: valid(checkHeader, fields) };
  if (type === 'trailer') return { kind: type, trailer: valid(checkTrailer, fields) };
  requireKnownType(line, type);
  const record = valid<FileRecord>(checkRecord, fields);
  checkFields(line, record);
  return { kind: 'record', record, number };
}

function valid<Shape>(check: ReturnType<typeof checkOf>, fields: unknown): Shape {
  const violation = check(fields);
  if (violation) throw violation;
  return fields as Shape;
}

function requireKnownType(line: number, type: unknown): void {
  if (LATER_TYPES.some((later) => later === type))
    throw rejection(line, 'record_type', `${type} is not supported yet`);
  if (type !== undefined && !BOOKED_TYPES.some((known) => known === type))
    throw rejection(
      line,
      'record_type',
      `must be one of header, trailer, ${[...BOOKED_TYPES, ...LATER_TYPES].join(', ')}`,
    );
}

/** Rules between fields. */
function checkFields(line: number, record: FileRecord): void {
  const { record_type: type, event_time } = record;
  const isReversal = type === 'clearing_reversal' || type === 'refund_reversal';
  if (isReversal && record.reverses === undefined)
    throw rejection(line, 'reverses', `is required in a ${type}`);
  if (!isReversal && record.reverses !== undefined)
    throw rejection(line, 'reverses', `must not be in a ${type}`);
  if (record.card_id !== undefined && record.card_number !== undefined)
    throw rejection(line, 'card_id', 'must not be given with card_number');
  if (type === 'clearing' && record.external_transaction_id === undefined)
    throw rejection(
      line,
      'external_transaction_id',
      'is required: a clearing that names no purchase is not supported yet',
    );
  if (!isDay(event_time.slice(0, 10))) throw rejection(line, 'event_time', 'must be a time that exists');
}
