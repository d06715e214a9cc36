import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { addMonths, type Day, dayOf, dayStartMs } from '../kernel/calendar.ts';
import { LOWEST_ID, lowestIdAt, timeOf } from '../kernel/ids.ts';
import { queryableOf } from './connection.ts';
import type { Queryable } from './database.ts';
import { isBusy } from './failures.ts';
import { createPartitions, findMonthsEnd, findMonthsStart, type Partition } from './month-queries.ts';
import { databaseTime, ROLLBACK } from './queries.ts';

/** Not more: with many empty partitions PostgreSQL estimates that reading and sorting all of them is cheapest. */
const MONTHS_AHEAD = 6;
/** How long a start may block other statements. */
const SHORTLY = '2s';
const UNLIMITED = '0';
const ATTEMPTS = 5;
const PAUSE_MS = 500;

/**
 * Creates the partitions for the coming months, as the owner of the schema. Rows with later ids are stored in the last
 * partition, `…_later`, and move when their month is created. Returns false if a table is too busy or too many rows
 * would move: then the next start tries again. `patiently` waits instead.
 */
export async function prepareMonths(
  client: pg.Client,
  { nowMs, patiently = false }: { nowMs?: number; patiently?: boolean } = {},
): Promise<boolean> {
  const today = dayOf(nowMs ?? (await readClock(client)));
  const lastMonth = addMonths(`${today.slice(0, 7)}-01`, MONTHS_AHEAD);
  let ready = true;
  for (const { table, endId } of await listMonthsEnds(queryableOf(client))) {
    const partitions: Partition[] = [];
    for (let month = dayOf(timeOf(endId)); month <= lastMonth; month = addMonths(month, 1))
      partitions.push(partitionOf(table, month));
    ready &&= await extend(client, table, partitions, patiently);
  }
  return ready;
}

async function extend(
  client: pg.Client,
  table: string,
  partitions: Partition[],
  patiently: boolean,
): Promise<boolean> {
  if (partitions.length === 0) return true;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (await succeeds(client, createPartitions(table, partitions, patiently ? UNLIMITED : SHORTLY)))
      return true;
    await pause(PAUSE_MS);
  }
  return false;
}

const listMonthsEnds = (db: Queryable): Promise<Array<{ table: string; endId: string }>> =>
  db.query(findMonthsEnd);

/** The first day for which a table has no partition of its month. */
export const readMonthsEnd = async (db: Queryable): Promise<Day> =>
  (await listMonthsEnds(db)).map(({ endId }) => dayOf(timeOf(endId))).sort()[0] as Day;

/** The id that all rows of a partitioned table follow: older months were archived. */
export async function readMonthsStart(db: Queryable, table: string): Promise<string> {
  const [start] = await db.query<{ fromId: string | null; isWhole: boolean }>(findMonthsStart, [table]);
  return start?.isWhole ? LOWEST_ID : (start?.fromId ?? LOWEST_ID);
}

const partitionOf = (table: string, month: Day): Partition => ({
  name: `${table}_${month.slice(0, 7).replace('-', '_')}`,
  fromId: lowestIdAt(dayStartMs(month)),
  belowId: lowestIdAt(dayStartMs(addMonths(month, 1))),
});

async function succeeds(client: pg.Client, statements: readonly string[]): Promise<boolean> {
  try {
    for (const statement of statements) await client.query(statement);
    return true;
  } catch (error) {
    await client.query(ROLLBACK);
    if (isBusy(error)) return false;
    throw error;
  }
}

async function readClock(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ ms: number }>(databaseTime);
  return (rows[0] as { ms: number }).ms;
}
