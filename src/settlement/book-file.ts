import { type Submit, usualDeadline } from '../authorizations/engine/engine.ts';
import { findMessages, recordKind } from '../authorizations/engine/queries.ts';
import type { Database } from '../db/database.ts';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import { EmbossError } from '../kernel/error.ts';
import { parseAmount } from '../kernel/money.ts';
import { wipe } from '../kernel/secret.ts';
import type { Program } from '../programs/program.ts';
import {
  type ClearingFile,
  OUTCOMES,
  type Outcome,
  type OutcomeCounts,
  type Position,
} from './clearing-file.ts';
import { endClearingFile } from './end-file.ts';
import { insertRecords, listOutcomes, type RecordRow, updateBooked, updateRecords } from './queries.ts';
import type { ReadRecord } from './read-records.ts';
import { messageKindOf, namesOf, type RecordMessages } from './record.ts';

export interface BookServices {
  db: Database;
  messages: RecordMessages;
  submit: Submit;
}

type Booked = Extract<ReadRecord, { kind: 'record' }>;

/** As many as the engine gathers into one transaction. */
const MOST_TOGETHER = 256;

/** Books a checked file from its position on, up to its end or as long as it may. */
export async function bookFile(
  services: BookServices,
  program: Program,
  file: ClearingFile,
  records: AsyncIterable<ReadRecord>,
  mayGoOn: () => boolean,
): Promise<void> {
  let at = file;
  let batch: Booked[] = [];
  let names = new Set<string>();
  /** False: another worker has changed the file. */
  const bookBatch = async (): Promise<boolean> => {
    const last = batch.at(-1);
    if (!last) return true;
    const isOurs = await bookRecords(services, program, at, batch);
    at = { ...at, position: last.end };
    batch = [];
    names = new Set();
    return isOurs;
  };
  for await (const read of records) {
    if (read.kind !== 'record') continue;
    // A record may need what one before it makes, such as the clearing that it reverses.
    const own = namesOf(read.record);
    if (batch.length === MOST_TOGETHER || own.some((name) => names.has(name))) {
      if (!(await bookBatch())) return wipe(read.number);
      if (!mayGoOn()) return wipe(read.number);
    }
    batch.push(read);
    for (const name of own) names.add(name);
  }
  if (await bookBatch()) await endClearingFile(services.db, at, 'COMPLETED');
}

/** The outcome is stored before a record is booked: after a kill, our own message does not look like one that came before. */
async function bookRecords(
  services: BookServices,
  program: Program,
  file: ClearingFile,
  batch: readonly Booked[],
): Promise<boolean> {
  const { db } = services;
  try {
    const planned = await planOutcomes(db, program, file, batch);
    const rows = await Promise.all(
      batch.map((read, index) => bookOne(services, program, file, read, planned[index] as RecordRow)),
    );
    return await storeOutcomes(db, file, (batch.at(-1) as Booked).end, rows);
  } finally {
    for (const { number } of batch) wipe(number);
  }
}

async function planOutcomes(
  db: Database,
  program: Program,
  file: ClearingFile,
  batch: readonly Booked[],
): Promise<RecordRow[]> {
  const kinds = batch.map(({ record }) => recordKind(messageKindOf(record)));
  const ids = batch.map(({ record }) => record.network_id);
  const known = new Set(
    (await findMessages(db, program.id, kinds, ids))
      .filter(({ requestDigest }) => requestDigest)
      .map(({ kind, messageId }) => `${kind} ${messageId}`),
  );
  const rows = batch.map(
    ({ line, record }, index): RecordRow => ({
      ...{ line, recordType: record.record_type, networkId: record.network_id },
      billAmountMinor: parseAmount(record.bill_amount, program.currency) as bigint,
      outcome: known.has(`${kinds[index]} ${ids[index]}`) ? 'MATCHED' : 'BOOKED',
      ...{ transactionId: null, problem: null },
    }),
  );
  const [from, to] = [rows[0]?.line ?? 0, rows.at(-1)?.line ?? 0];
  const stored = await db.transaction(async (tx) => {
    insertRecords(tx, file, rows);
    return listOutcomes(tx, file, from, to);
  });
  const outcomeOf = new Map(stored.map(({ line, outcome }) => [line, outcome]));
  return rows.map((row) => ({ ...row, outcome: outcomeOf.get(row.line) ?? row.outcome }));
}

async function bookOne(
  { messages, submit }: BookServices,
  program: Program,
  { settlementDate }: ClearingFile,
  { record, number }: Booked,
  row: RecordRow,
): Promise<RecordRow> {
  try {
    const message = await messages.read(program, record, settlementDate, number);
    const response = await submit(program, message, { source: 'job', deadline: usualDeadline() });
    // A reversal without amounts may have taken back another amount.
    const isSame = response.billAmountMinor === row.billAmountMinor;
    const outcome: Outcome = row.outcome === 'MATCHED' && !isSame ? 'DIFFERENT' : row.outcome;
    return { ...row, outcome, transactionId: response.transactionId };
  } catch (error) {
    // The database is unavailable, or the card busy: all of the batch is tried again.
    if (!(error instanceof EmbossError) || error.httpStatus >= 500) throw error;
    const outcome = error.httpStatus === 409 ? 'DIFFERENT' : 'NOT_BOOKED';
    return { ...row, outcome, problem: maskCardNumbers(error.message) };
  }
}

const storeOutcomes = (
  db: Database,
  file: ClearingFile,
  position: Position,
  rows: readonly RecordRow[],
): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await updateBooked(tx, file, position, countsOf(rows)))) return false;
    updateRecords(tx, file, rows);
    return true;
  });

const countsOf = (rows: readonly RecordRow[]): OutcomeCounts =>
  Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, rows.filter((row) => row.outcome === outcome).length]),
  ) as OutcomeCounts;
