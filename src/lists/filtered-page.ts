import type { Database } from '../db/database.ts';
import { dayEndMs, dayStartMs } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import { HIGHEST_ID, idBeside, LOWEST_ID, lowestIdAt } from '../kernel/ids.ts';
import { countRange, filterPage, HIGHEST_COUNT, MOST_READ } from './filter-list.ts';
import type { Filtered } from './filter-queries.ts';
import type { PageRequest } from './find-page.ts';

export interface FoundPage {
  /** Newest first. */
  ids: string[];
  /** The page after this one continues below this id. Null: there is none. */
  next: string | null;
  /** The page before this one ends above this id. Null: there is none. */
  previous: string | null;
  count: number;
  /** There may be more than `count`. */
  isCapped: boolean;
}

/**
 * The most rows that are read to check them, for a page from the beginning, which is then its count too, and for a page that
 * a link continues, which is counted beside it.
 */
const MOST_CHECKED = { first: HIGHEST_COUNT + 1, linked: HIGHEST_COUNT / 2 };

/** A page of the rows that match. It may be short or empty although more follow: continue while `next` is not null. */
export async function findFilteredPage(
  db: Database,
  list: Filtered,
  programId: string,
  { page, pageSize, after, before, minCreated, maxCreated }: PageRequest,
): Promise<FoundPage> {
  const all = {
    programId,
    oldestFirst: false,
    aboveId: minCreated ? lowestIdAt(dayStartMs(minCreated)) : LOWEST_ID,
    belowId: maxCreated ? lowestIdAt(dayEndMs(maxCreated)) : HIGHEST_ID,
  };
  const isChecked = list.narrowing(() => '', '').length > 0;
  const most = isChecked ? MOST_CHECKED : { first: MOST_READ, linked: MOST_READ };
  const count = async () => {
    const counted = await countRange(db, list, all, most.first);
    return { count: counted.count, isCapped: !counted.isExact };
  };
  if (before !== undefined) {
    const aboveId = before > all.aboveId ? before : all.aboveId;
    const newer = { ...all, aboveId, oldestFirst: true };
    const { ids, next } = await filterPage(db, list, newer, pageSize, most.linked);
    return {
      ids: ids.reverse(),
      next: ids.at(-1) ?? idBeside(before, 1n),
      previous: next,
      ...(await count()),
    };
  }
  if (after !== undefined) {
    const belowId = after < all.belowId ? after : all.belowId;
    const { ids, next } = await filterPage(db, list, { ...all, belowId }, pageSize, most.linked);
    return { ids, next, previous: ids[0] ?? idBeside(after, -1n), ...(await count()) };
  }
  const skipped = (page - 1) * pageSize;
  if (skipped + pageSize > HIGHEST_COUNT) {
    const counted = await count();
    if (skipped >= counted.count && !counted.isCapped)
      return { ids: [], next: null, previous: null, ...counted };
    throw invalid(
      'page',
      `must be at most ${Math.floor(HIGHEST_COUNT / pageSize)} with these filters; follow \`next\``,
    );
  }
  const { ids, next } = await filterPage(db, list, all, skipped + pageSize, most.first);
  // Else it has read all that a count would read.
  const isFull = next !== null && ids.length === skipped + pageSize;
  const counted = isFull ? await count() : { count: ids.length, isCapped: next !== null };
  return { ids: ids.slice(skipped), next, previous: page > 1 ? (ids[skipped] ?? null) : null, ...counted };
}

/** The records in the order of the ids. */
export function inOrder<Item extends { id: string }>(ids: readonly string[], items: readonly Item[]): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
