import type pg from 'pg';
import { addMonths, type Day, dayOf, dayStartMs } from '../kernel/calendar.ts';
import { lowestIdAt } from '../kernel/ids.ts';
import { isBusy } from './failures.ts';
import { listParts, makeParts, type PartRange } from './month-queries.ts';
import { databaseTime, ROLLBACK } from './queries.ts';

/**
 * Transactions lie in parts: one for all that came before 2027, one for each month since, and one for what is later than
 * the months that were made. Old parts can move out as a whole (src/authorizations/move-out.ts).
 */
export interface Part {
  name: string;
  /** Its first day; undefined where it begins with the first transaction. */
  from: Day | undefined;
  /** The first day after it. */
  below: Day;
}

const FIRST_PART: Part = { name: 'transactions_2026', from: undefined, below: '2027-01-01' };
const OF_MONTH = /^transactions_(\d{4})_(\d{2})$/;
/** No more: of many empty months PostgreSQL thinks that to read them all and sort is cheaper than to read in order. */
const MONTHS_AHEAD = 6;

const partOf = (month: Day): Part => ({
  name: `transactions_${month.slice(0, 7).replace('-', '_')}`,
  from: month,
  below: addMonths(month, 1),
});

/** Undefined for the part of what is later. */
export function partNamed(name: string): Part | undefined {
  if (name === FIRST_PART.name) return FIRST_PART;
  const [, year, month] = OF_MONTH.exec(name) ?? [];
  return year && month ? partOf(`${year}-${month}-01`) : undefined;
}

/** Undefined where it begins with the first transaction. */
export const firstIdOf = ({ from }: Part): string | undefined => from && lowestIdAt(dayStartMs(from));
export const firstIdAfter = ({ below }: Part): string => lowestIdAt(dayStartMs(below));

/**
 * Makes the parts of the coming months, by the login that owns the schema. A server that is not started for longer
 * than that goes on: what finds no month is kept with the later ones, and sorted into its month the next time.
 */
export async function prepareMonths(client: pg.Client, nowMs?: number): Promise<void> {
  const present = (await client.query<{ name: string }>(listParts)).rows.map(({ name }) => name);
  const last = present
    .filter((name) => OF_MONTH.test(name))
    .sort()
    .at(-1);
  const today = dayOf(nowMs ?? (await readClock(client)));
  const lastMonth = addMonths(`${today.slice(0, 7)}-01`, MONTHS_AHEAD);
  const parts: PartRange[] = [];
  let month = last ? (partNamed(last) as Part).below : FIRST_PART.below;
  for (; month <= lastMonth; month = addMonths(month, 1)) {
    const part = partOf(month);
    parts.push({ name: part.name, fromId: lowestIdAt(dayStartMs(month)), belowId: firstIdAfter(part) });
  }
  if (parts.length === 0) return;
  try {
    await client.query(makeParts(parts));
  } catch (error) {
    await client.query(ROLLBACK);
    // Somebody reads for long. The months are made ahead: the next start is early enough.
    if (!isBusy(error)) throw error;
  }
}

async function readClock(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ ms: number }>(databaseTime);
  return (rows[0] as { ms: number }).ms;
}
