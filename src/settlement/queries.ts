import { column, rareColumn, textColumn, unnested } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { ClearingFile, FileStatus, Outcome, OutcomeCounts, Position, Tally } from './clearing-file.ts';
import type { Rejection } from './rejection.ts';

interface FileRow extends Omit<ClearingFile, 'position' | 'tally' | 'outcomes' | 'rejected'> {
  positionBytes: bigint;
  positionLine: number;
  records: number;
  debitMinor: string;
  creditMinor: string;
  matched: number;
  booked: number;
  different: number;
  notBooked: number;
  rejectedLine: number | null;
  rejectedField: string | null;
  rejectedRule: string | null;
}

const FIELDS = `program_id, id, file_id, settlement_date::text as settlement_date, is_last, format, digest, storage_key, status,
  is_checked, position_bytes, position_line, records, debit_minor::text as debit_minor, credit_minor::text as credit_minor,
  matched, booked, different, not_booked, rejected_line, rejected_field, rejected_rule, created_at, ended_at`;

const fileOf = (row: FileRow): ClearingFile => ({
  ...row,
  position: { bytes: Number(row.positionBytes), line: row.positionLine },
  tally: {
    records: row.records,
    debitMinor: BigInt(row.debitMinor),
    creditMinor: BigInt(row.creditMinor),
  },
  outcomes: {
    MATCHED: row.matched,
    BOOKED: row.booked,
    DIFFERENT: row.different,
    NOT_BOOKED: row.notBooked,
  },
  rejected:
    row.rejectedRule === null
      ? null
      : { line: row.rejectedLine as number, field: row.rejectedField, rule: row.rejectedRule },
});

type Row<Shape> = Shape & Record<string, unknown>;

export async function findFile(
  db: Queryable,
  programId: string,
  fileId: string,
): Promise<ClearingFile | undefined> {
  const rows = await db.query<Row<FileRow>>(
    {
      name: 'find_clearing_file',
      text: `select ${FIELDS} from clearing_files where program_id = $1 and file_id = $2`,
    },
    [programId, fileId],
  );
  return rows[0] && fileOf(rows[0]);
}

/** The oldest file that has not ended. */
export async function findOpenFile(db: Queryable, programId: string): Promise<ClearingFile | undefined> {
  const rows = await db.query<Row<FileRow>>(
    {
      name: 'find_open_clearing_file',
      text: `select ${FIELDS} from clearing_files
             where program_id = $1 and ended_at is null order by id limit 1`,
    },
    [programId],
  );
  return rows[0] && fileOf(rows[0]);
}

export async function countOpenFiles(db: Queryable, programId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    {
      name: 'count_open_clearing_files',
      text: 'select count(*)::int as count from clearing_files where program_id = $1 and ended_at is null',
    },
    [programId],
  );
  return rows[0]?.count ?? 0;
}

export type NewFile = Pick<
  ClearingFile,
  'programId' | 'id' | 'fileId' | 'settlementDate' | 'isLast' | 'format' | 'digest' | 'createdAt'
> & { storageKey: string; bytes: number };

/** False if the program has a file of this name. */
export async function insertFile(tx: Tx, file: NewFile, keptDays: number): Promise<boolean> {
  const rows = await tx.query(
    {
      name: 'insert_clearing_file',
      text: `insert into clearing_files
               (program_id, id, file_id, settlement_date, is_last, format, bytes, digest, storage_key, status, created_at, erase_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'RECEIVED', $10, statement_timestamp() + $11::int * interval '1 day')
             on conflict (program_id, file_id) do nothing returning id`,
    },
    [
      ...[file.programId, file.id, file.fileId, file.settlementDate, file.isLast, file.format, file.bytes],
      ...[file.digest, file.storageKey, file.createdAt, keptDays],
    ],
  );
  return rows.length === 1;
}

/** The file and the position at which a worker read it: a change of another worker ends its turn. */
export type At = Pick<ClearingFile, 'programId' | 'id' | 'isChecked' | 'position'>;
const IS_AT = `program_id = $1 and id = $2 and ended_at is null and is_checked = $3 and position_bytes = $4`;
const valuesOf = ({ programId, id, isChecked, position }: At) => [programId, id, isChecked, position.bytes];

/** Stores how far the check came. False: another worker has changed the file. */
export async function updateCheck(db: Queryable, at: At, position: Position, tally: Tally): Promise<boolean> {
  const rows = await db.query(
    {
      name: 'update_clearing_file_check',
      text: `update clearing_files
             set status = 'PROCESSING', position_bytes = $5, position_line = $6,
                 records = $7, debit_minor = $8, credit_minor = $9
             where ${IS_AT} returning id`,
    },
    [
      ...valuesOf(at),
      ...[position.bytes, position.line, tally.records, String(tally.debitMinor), String(tally.creditMinor)],
    ],
  );
  return rows.length === 1;
}

/** The check has found no fault: the booking begins at the beginning. */
export async function updateChecked(db: Queryable, at: At, tally: Tally): Promise<boolean> {
  const rows = await db.query(
    {
      name: 'update_clearing_file_checked',
      text: `update clearing_files
             set status = 'PROCESSING', is_checked = true, position_bytes = 0, position_line = 0,
                 records = $5, debit_minor = $6, credit_minor = $7
             where ${IS_AT} returning id`,
    },
    [...valuesOf(at), tally.records, String(tally.debitMinor), String(tally.creditMinor)],
  );
  return rows.length === 1;
}

export async function updateBooked(
  tx: Tx,
  at: At,
  position: Position,
  counts: OutcomeCounts,
): Promise<boolean> {
  const rows = await tx.query(
    {
      name: 'update_clearing_file_booked',
      text: `update clearing_files
             set position_bytes = $5, position_line = $6, matched = matched + $7, booked = booked + $8,
                 different = different + $9, not_booked = not_booked + $10
             where ${IS_AT} returning id`,
    },
    [
      ...valuesOf(at),
      ...[position.bytes, position.line],
      ...[counts.MATCHED, counts.BOOKED, counts.DIFFERENT, counts.NOT_BOOKED],
    ],
  );
  return rows.length === 1;
}

/** Undefined: another worker has changed the file. */
export async function endFile(
  tx: Tx,
  at: At,
  status: Extract<FileStatus, 'COMPLETED' | 'REJECTED'>,
  endedAt: Date,
  rejected: Rejection | null,
): Promise<ClearingFile | undefined> {
  const rows = await tx.query<Row<FileRow>>(
    {
      name: 'end_clearing_file',
      text: `update clearing_files
             set status = $5, ended_at = $6, rejected_line = $7, rejected_field = $8, rejected_rule = $9
             where ${IS_AT} returning ${FIELDS}`,
    },
    [
      ...valuesOf(at),
      ...[status, endedAt, rejected?.line ?? null, rejected?.field ?? null, rejected?.rule ?? null],
    ],
  );
  return rows[0] && fileOf(rows[0]);
}

export interface RecordRow {
  line: number;
  recordType: string;
  networkId: string;
  billAmountMinor: bigint;
  outcome: Outcome;
  transactionId: string | null;
  problem: string | null;
}

/** Before they are booked. A record that is there keeps its outcome. */
export function insertRecords(
  tx: Tx,
  { programId, id }: Pick<ClearingFile, 'programId' | 'id'>,
  rows: readonly RecordRow[],
): void {
  tx.send(
    {
      name: 'insert_clearing_records',
      text: `insert into clearing_records
               (program_id, file_id, line, record_type, network_id, bill_amount_minor, outcome)
             select $1, $2, ${unnested(3, 'integer text text bigint text')}
             on conflict (program_id, file_id, line) do nothing`,
    },
    [
      ...[programId, id, column(rows.map(({ line }) => line)), column(rows.map((row) => row.recordType))],
      textColumn(rows.map(({ networkId }) => networkId)),
      ...[column(rows.map((row) => row.billAmountMinor)), column(rows.map(({ outcome }) => outcome))],
    ],
  );
}

export const listOutcomes = (
  db: Queryable,
  { programId, id }: Pick<ClearingFile, 'programId' | 'id'>,
  fromLine: number,
  toLine: number,
): Promise<Array<Pick<RecordRow, 'line' | 'outcome'>>> =>
  db.query<Row<Pick<RecordRow, 'line' | 'outcome'>>>(
    {
      name: 'list_clearing_record_outcomes',
      text: `select line, outcome from clearing_records
             where program_id = $1 and file_id = $2 and line between $3 and $4`,
    },
    [programId, id, fromLine, toLine],
  );

export function updateRecords(
  tx: Tx,
  { programId, id }: Pick<ClearingFile, 'programId' | 'id'>,
  rows: readonly RecordRow[],
): void {
  tx.send(
    {
      name: 'update_clearing_records',
      text: `update clearing_records r
             set outcome = done.outcome, transaction_id = done.transaction_id, problem = done.problem
             from (select ${unnested(3, 'integer text uuid text')}) done (line, outcome, transaction_id, problem)
             where r.program_id = $1 and r.file_id = $2 and r.line = done.line`,
    },
    [
      ...[programId, id, column(rows.map(({ line }) => line)), column(rows.map(({ outcome }) => outcome))],
      column(rows.map(({ transactionId }) => transactionId)),
      rareColumn(rows.map(({ problem }) => problem)),
    ],
  );
}

/** A file in the storage that no row of a clearing file names yet. */
export interface Upload {
  programId: string;
  id: string;
  storageKey: string;
}

export async function insertUpload(db: Queryable, { programId, id, storageKey }: Upload): Promise<void> {
  await db.query(
    {
      name: 'insert_clearing_upload',
      text: `insert into clearing_uploads (program_id, id, storage_key, started_at)
             values ($1, $2, $3, statement_timestamp())`,
    },
    [programId, id, storageKey],
  );
}

export async function deleteUpload(
  db: Queryable,
  { programId, id }: Pick<Upload, 'programId' | 'id'>,
): Promise<void> {
  await db.query(
    {
      name: 'delete_clearing_upload',
      text: 'delete from clearing_uploads where program_id = $1 and id = $2',
    },
    [programId, id],
  );
}

export async function hasUpload(
  db: Queryable,
  { programId, id }: Pick<Upload, 'programId' | 'id'>,
): Promise<boolean> {
  const rows = await db.query(
    {
      name: 'has_clearing_upload',
      text: 'select id from clearing_uploads where program_id = $1 and id = $2',
    },
    [programId, id],
  );
  return rows.length > 0;
}

export const listAbandonedUploads = (db: Queryable, ageMs: number, limit: number): Promise<Upload[]> =>
  db.query<Row<Upload>>(
    {
      name: 'list_abandoned_clearing_uploads',
      text: `select program_id, id, storage_key from clearing_uploads
             where started_at < statement_timestamp() - $1::float8 * interval '1 ms'
             order by started_at limit $2`,
    },
    [ageMs, limit],
  );

/** Ended files whose raw content is past its time. */
export const listErasable = (db: Queryable, limit: number): Promise<Upload[]> =>
  db.query<Row<Upload>>(
    {
      name: 'list_erasable_clearing_files',
      text: `select program_id, id, storage_key from clearing_files
             where storage_key is not null and erase_at < statement_timestamp() and ended_at is not null
             order by erase_at limit $1`,
    },
    [limit],
  );

export function forgetRaw(tx: Tx, { programId, id }: Pick<Upload, 'programId' | 'id'>): void {
  tx.send(
    {
      name: 'forget_clearing_file_content',
      text: 'update clearing_files set storage_key = null where program_id = $1 and id = $2',
    },
    [programId, id],
  );
}
