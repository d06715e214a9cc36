import type { Database } from '../db/database.ts';
import { countMatching, type Filtered, findLookEnd, findMatching, type Look } from './filter-queries.ts';
import { countBefore } from './queries.ts';

/** The most rows that one page reads, whatever the filters are. */
const MOST_READ = 20_000;
/** The most rows that a count reads, and the highest count. */
const MOST_COUNTED_OVER = 200_000;
export const HIGHEST_COUNT = 10_000;

export type Range = Omit<Look, 'limit'>;

export interface FilteredPage {
  ids: string[];
  /** Where to continue. Null: the range was read to its end. */
  next: string | null;
}

/** A page of matching rows. It may be short or empty although more follow: continue while `next` is not null. */
export function filterPage(
  db: Database,
  list: Filtered,
  range: Range,
  pageSize: number,
): Promise<FilteredPage> {
  const look = { ...range, limit: MOST_READ };
  // One snapshot: a record that arrived between the queries would move the end.
  return db.snapshot(async (tx) => {
    const found = await findMatching(tx, list, look, pageSize + 1);
    const ids = found.slice(0, pageSize);
    if (found.length > pageSize) return { ids, next: ids.at(-1) ?? null };
    return { ids, next: (await findLookEnd(tx, list, look)) ?? null };
  });
}

export interface Count {
  count: number;
  /** False: there are more. */
  isExact: boolean;
}

/** Counts the rows of a range. Without conditions the count is exact; else it stops at a limit. */
export async function countRange(db: Database, list: Filtered, range: Range): Promise<Count> {
  const { programId, aboveId, belowId } = range;
  const { cardId } = list;
  if (cardId !== undefined || list.conditions(() => '', '').length === 0) {
    const counted = { table: list.table, ...(cardId && { cardId }) };
    const [end, start] = await Promise.all([
      countBefore(db, counted, programId, belowId),
      countBefore(db, counted, programId, aboveId),
    ]);
    return { count: Math.max(0, end.rank - start.rank), isExact: true };
  }
  const look = { ...range, limit: MOST_COUNTED_OVER };
  return db.snapshot(async (tx) => {
    const count = await countMatching(tx, list, look, HIGHEST_COUNT + 1);
    if (count > HIGHEST_COUNT) return { count: HIGHEST_COUNT, isExact: false };
    return { count, isExact: (await findLookEnd(tx, list, look)) === undefined };
  });
}
