import { column, textColumn, unnested } from '../../db/columns.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import type { Entry } from './entries.ts';
import type { Subject } from './subjects.ts';
import type { Sum } from './sums.ts';

/** The sums of customers, locked in the order of their names; a customer without sums gets an empty row. */
export function lockSharedSums(tx: Tx, programId: string, subjects: readonly Subject[]): void {
  tx.send(
    {
      name: 'lock_rule_sums',
      text: `insert into rule_sums (program_id, subject, sums)
             select $1, subject, '{}' from unnest($2::text[]) as wanted (subject) order by subject
             on conflict (program_id, subject) do update set subject = excluded.subject`,
    },
    [programId, textColumn(subjects)],
  );
}

/** A stored sum: the beginning of its window, the count and the amount in minor units. */
export type StoredSum = [sinceMs: number, count: number, minor: string];
/** An entry that leaves a window. */
export type StoredEntry = [number: number, atMs: number, count: number, minor: string];

export interface SumsRow {
  subject: Subject;
  sums: Record<string, StoredSum>;
  leaving: StoredEntry[] | null;
}

/** The next statement reads the time of the transaction, and Node compares exactly. */
const MARGIN_MS = 10_000;

/**
 * The sums of subjects, each with the entries that leave a window of minutes until now. `minutes` are the lengths of these
 * windows by the number of their velocity; program time is so far ahead of real time. The time of the statement is one value, so that
 * the index ends there.
 */
export const readSums = (
  db: Queryable,
  programId: string,
  subjects: readonly Subject[],
  minutes: ReadonlyMap<number, number>,
  clockOffsetMs: number,
): Promise<SumsRow[]> =>
  db.query<SumsRow & Record<string, unknown>>(
    {
      name: 'read_rule_sums',
      text: `select s.subject, s.sums, (
               select json_agg(json_build_array(e.number, e.at_ms, e.count, e.minor::text)) from (
                 select w.number, e.at_ms, e.count, e.minor
                 from unnest($3::int[], $4::int[]) as w (number, minutes)
                 cross join lateral (
                   select * from rule_entries
                   where program_id = $1 and subject = wanted.subject
                     and at_ms >= (s.sums -> w.number::text ->> 0)::bigint
                     and at_ms < (extract(epoch from statement_timestamp()) * 1000)::bigint + $5 - w.minutes * 60000 + ${MARGIN_MS}
                   order by at_ms) e
                 where w.number = any (e.velocities)) e) as leaving
             from unnest($2::text[]) as wanted (subject)
             cross join lateral (
               select * from rule_sums where program_id = $1 and subject = wanted.subject limit 1) s`,
    },
    [
      programId,
      textColumn(subjects),
      column([...minutes.keys()]),
      column([...minutes.values()]),
      clockOffsetMs,
    ],
  );

/** As `StoredSum` by number. Numbers need no quoting, so this is JSON in a tenth of the time. */
function jsonOf(sums: ReadonlyMap<number, Sum>): string {
  let json = '';
  for (const [number, { sinceMs, count, minor }] of sums)
    json += `${json === '' ? '' : ','}"${number}":[${sinceMs},${count},"${minor}"]`;
  return `{${json}}`;
}

export function writeSums(
  tx: Tx,
  programId: string,
  rows: ReadonlyMap<Subject, ReadonlyMap<number, Sum>>,
): void {
  // Sorted, like the locks.
  const sorted = [...rows].sort(([one], [other]) => (one < other ? -1 : 1));
  const stored = sorted.map(([, sums]) => jsonOf(sums));
  tx.send(
    {
      name: 'write_rule_sums',
      text: `insert into rule_sums (program_id, subject, sums) select $1, ${unnested(2, 'text jsonb')}
             on conflict (program_id, subject) do update set sums = excluded.sums`,
    },
    [programId, textColumn(sorted.map(([subject]) => subject)), textColumn(stored)],
  );
}

export interface EntryRow extends Entry {
  subject: Subject;
  transactionId: string;
}

/** Entries with their current values. */
export function writeEntries(tx: Tx, programId: string, rows: readonly EntryRow[]): void {
  tx.send(
    {
      name: 'write_rule_entries',
      text: `insert into rule_entries (program_id, subject, at_ms, transaction_id, count, minor, velocities)
             select $1, ${unnested(2, 'text bigint uuid smallint bigint')}, unnest($7::text[])::int[]
             on conflict (program_id, subject, at_ms, transaction_id) do update
             set count = excluded.count, minor = excluded.minor, velocities = excluded.velocities`,
    },
    [
      programId,
      textColumn(rows.map((row) => row.subject)),
      column(rows.map((row) => row.atMs)),
      column(rows.map((row) => row.transactionId)),
      column(rows.map((row) => row.count)),
      column(rows.map((row) => row.minor)),
      textColumn(rows.map((row) => `{${row.velocities.join(',')}}`)),
    ],
  );
}

/** Entries that no window has any more. */
export const deleteEntriesBefore = async (
  db: Queryable,
  programId: string,
  beforeMs: number,
  limit: number,
): Promise<number> => {
  const rows = await db.query(
    `delete from rule_entries where program_id = $1 and ctid = any (array(
       select ctid from rule_entries where program_id = $1 and at_ms / 3600000 < $2::bigint / 3600000 limit $3)) returning 1 as one`,
    [programId, beforeMs, limit],
  );
  return rows.length;
};
