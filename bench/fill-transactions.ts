import type { Database } from '../src/db/database.ts';
import { runStatement } from './fill-statements.ts';

const CHUNK = 250_000;
const IN_FLIGHT = 2;

export interface TransactionFill {
  programId: string;
  cardIds: readonly string[];
  count: number;
  /** Ids carry their time: the first transaction is made at `from`, the last just before `to`. */
  from: Date;
  to: Date;
  /** How many the program has already: the ids of each derive from its number. */
  firstIndex?: number;
  /** Default: all that an authorization leaves behind. `labels` are its pairs of metadata. */
  tables?: readonly Filled[];
}

type Filled = Parameters<typeof runStatement>[1];
export const TABLES: readonly Filled[] = ['transactions', 'messages', 'events', 'transfers'];

/**
 * Cleared purchases with all that an authorization leaves behind: the message by its own id, the event, two transfers.
 * PostgreSQL makes the rows itself, a quarter of a million per statement.
 */
export async function fillTransactions(db: Database, fill: TransactionFill): Promise<void> {
  const { firstIndex = 0, tables = TABLES } = fill;
  const end = firstIndex + fill.count;
  const starts = Array.from(
    { length: Math.ceil(fill.count / CHUNK) },
    (_, index) => firstIndex + index * CHUNK,
  ).values();
  const stepMs = (fill.to.getTime() - fill.from.getTime()) / fill.count;
  const fromMs = fill.from.getTime() - firstIndex * stepMs;
  const work = async () => {
    for (const first of starts) {
      const last = Math.min(first + CHUNK, end) - 1;
      for (const table of tables) await runStatement(db, table, fill, { first, last, fromMs, stepMs });
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}
