import type { Database, Queryable } from '../db/database.ts';
import {
  countMatching,
  type Filtered,
  findLookEnd,
  findMatching,
  type Look,
  type Merged,
} from './filter-queries.ts';
import { countMerged, findMerged, type Slice } from './merge-queries.ts';
import { countBefore } from './queries.ts';

/** The most rows that one page reads, whatever the filters are, if nothing less is asked for. */
export const MOST_READ = 20_000;
/** The most rows that a count reads which is asked for alone, and the highest count. */
export const MOST_COUNTED_OVER = 200_000;
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
  mostRead: number = MOST_READ,
): Promise<FilteredPage> {
  // One snapshot: a record that arrived between the queries would move the end.
  return db.snapshot((tx) => readPageOf(tx, list, range, pageSize, mostRead));
}

export async function readPageOf(
  db: Queryable,
  list: Filtered,
  range: Range,
  pageSize: number,
  mostRead: number = MOST_READ,
): Promise<FilteredPage> {
  const { ids: found, end } = await findFirst(db, list, range, pageSize + 1, mostRead);
  const ids = found.slice(0, pageSize);
  return { ids, next: found.length > pageSize ? (ids.at(-1) ?? null) : await end() };
}

interface First {
  ids: string[];
  /** Where the rows end that were read. Null: they are all. */
  end: () => Promise<string | null>;
}

/** The first matching rows. Of several values, few are read at first, and more while too few match. */
export async function findFirst(
  db: Queryable,
  list: Filtered,
  range: Range,
  wanted: number,
  mostRead: number = MOST_READ,
): Promise<First> {
  const merged = mergedOf(list);
  const ids: string[] = [];
  const walk =
    merged &&
    (await readSlices(range, 2 * wanted, mostRead, async (look) => {
      const slice = await findMerged(db, list, merged, look, wanted - ids.length);
      ids.push(...slice.ids);
      return { ...slice, isEnough: ids.length === wanted };
    }));
  if (walk) return { ids, end: async () => walk.end };
  const walked = merged ? { ...list, leads: [] } : list;
  const look = { ...range, limit: mostRead };
  return {
    ids: await findMatching(db, walked, look, wanted),
    end: async () => (await findLookEnd(db, walked, look)) ?? null,
  };
}

/** Reads on, up to eight times as many rows each time, until it is enough. Undefined: there are too many values to merge. */
async function readSlices(
  range: Range,
  first: number,
  most: number,
  read: (look: Look) => Promise<Slice & { isEnough: boolean }>,
): Promise<{ end: string | null } | undefined> {
  const look = { ...range, limit: first };
  for (let left = most; ; ) {
    const slice = await read(look);
    if (slice.isTooWide) return undefined;
    left -= slice.read;
    if (slice.end === null || slice.isEnough || left <= 0) return { end: slice.end };
    // If most values have no more rows, the others are read further.
    look.limit = Math.ceil(Math.min(8 * look.limit, (left * look.limit) / slice.read));
    look[look.oldestFirst ? 'aboveId' : 'belowId'] = slice.end;
  }
}

function mergedOf({ leads: [lead, ...others] }: Filtered): Merged | undefined {
  return lead && 'values' in lead && others.length === 0 ? lead : undefined;
}

export interface Count {
  count: number;
  /** False: there are more. */
  isExact: boolean;
}

/** Counts the rows of a range. Without conditions the count is exact; else it stops at a limit of rows to read. */
export async function countRange(
  db: Database,
  list: Filtered,
  range: Range,
  mostRead: number = MOST_READ,
): Promise<Count> {
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
  return db.snapshot(async (tx) => {
    const merged = mergedOf(list);
    let merging = 0;
    const walk =
      merged &&
      (await readSlices(range, HIGHEST_COUNT + 1, mostRead, async (look) => {
        const slice = await countMerged(tx, list, merged, look, HIGHEST_COUNT + 1 - merging);
        merging += slice.count;
        return { ...slice, isEnough: merging > HIGHEST_COUNT };
      }));
    const walked = merged ? { ...list, leads: [] } : list;
    const look = { ...range, limit: mostRead };
    const count = walk ? merging : await countMatching(tx, walked, look, HIGHEST_COUNT + 1);
    if (count > HIGHEST_COUNT) return { count: HIGHEST_COUNT, isExact: false };
    const end = walk ? walk.end : await findLookEnd(tx, walked, look);
    return { count, isExact: !end };
  });
}
