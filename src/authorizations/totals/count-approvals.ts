import type { Queryable } from '../../db/database.ts';
import { lowestIdAt, timeOf } from '../../kernel/ids.ts';
import { findCursor } from '../../programs/cursor-queries.ts';
import { HOUR_MS, sumApproved } from './queries.ts';

/** The approved purchases of a program since a moment of program time, at a cost that does not grow with their number. */
export async function countApprovals(db: Queryable, programId: string, sinceMs: number): Promise<number> {
  const position = await findCursor(db, programId, 'transaction-totals');
  // Everything before it is in the totals of its hour.
  const countedMs = Math.max(position === undefined ? sinceMs : timeOf(position), sinceMs);
  const wholeMs = Math.ceil(sinceMs / HOUR_MS) * HOUR_MS;
  const partMs = Math.min(wholeMs, countedMs);
  return sumApproved(
    db,
    programId,
    wholeMs,
    [lowestIdAt(sinceMs), lowestIdAt(partMs)],
    lowestIdAt(countedMs),
  );
}
