import type { Queryable } from '../db/database.ts';
import { type Day, dayEndMs, dayStartMs } from '../kernel/calendar.ts';
import { HIGHEST_ID, idBeside, LOWEST_ID, lowestIdAt } from '../kernel/ids.ts';
import { countBefore, findAtOrdinal, findPageStartAfter, type List } from './queries.ts';

export interface PageRequest {
  page: number;
  pageSize: number;
  /** The page begins right after this record, regardless of newer records. */
  after?: string | undefined;
  /** The page ends right before this record. */
  before?: string | undefined;
  minCreated?: Day | undefined;
  maxCreated?: Day | undefined;
}

/** Read the page with `id <= fromId and id >= lowestId order by id desc`. */
export interface PageWindow {
  /** Number of matching records on all pages. */
  count: number;
  /** Number of records after the last milestone; if it is large, the milestones need extending. */
  tail: number;
  fromId: string | undefined;
  lowestId: string;
}

export async function findPage(
  db: Queryable,
  list: List,
  programId: string,
  request: PageRequest,
): Promise<PageWindow> {
  const lowestId = request.minCreated ? lowestIdAt(dayStartMs(request.minCreated)) : LOWEST_ID;
  const endId = request.maxCreated ? lowestIdAt(dayEndMs(request.maxCreated)) : HIGHEST_ID;
  const [end, start] = await Promise.all([
    countBefore(db, list, programId, endId),
    request.minCreated ? countBefore(db, list, programId, lowestId) : { rank: 0 },
  ]);
  const count = Math.max(0, end.rank - start.rank);
  const window = { count, tail: end.counted, lowestId };
  return {
    ...window,
    fromId: await findFirstId(db, list, programId, request, { count, endRank: end.rank, endId }),
  };
}

async function findFirstId(
  db: Queryable,
  list: List,
  programId: string,
  { page, pageSize, after, before }: PageRequest,
  { count, endRank, endId }: { count: number; endRank: number; endId: string },
): Promise<string | undefined> {
  if (after !== undefined) return lower(endId, after);
  if (before !== undefined) return findPageStartAfter(db, list, programId, before, endId, pageSize);
  const skipped = (page - 1) * pageSize;
  if (skipped >= count) return undefined;
  // No record has the id `endId`, so the first page starts with the newest record below it.
  return skipped === 0 ? endId : findAtOrdinal(db, list, programId, endRank - skipped);
}

/** The highest id that a record below both bounds can have. */
const lower = (endId: string, after: string): string => idBeside(after < endId ? after : endId, -1n);
