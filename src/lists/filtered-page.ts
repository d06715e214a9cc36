import type { Database } from '../db/database.ts';
import { dayEndMs, dayStartMs } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt } from '../kernel/ids.ts';
import { countRange, filterPage, HIGHEST_COUNT } from './filter-list.ts';
import type { Filtered } from './filter-queries.ts';
import type { PageRequest } from './find-page.ts';

export interface FoundPage {
  /** Newest first. */
  ids: string[];
  /** The page after this one continues below this id. Null: there is none. */
  next: string | null;
  count: number;
  /** There may be more than `count`. */
  isCapped: boolean;
}

/** A page of the rows that match. It may be short although more follow: continue while `next` is not null. */
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
  const { count, isExact } = await countRange(db, list, all);
  const counted = { count, isCapped: !isExact };
  if (before !== undefined) {
    const aboveId = before > all.aboveId ? before : all.aboveId;
    const { ids } = await filterPage(db, list, { ...all, aboveId, oldestFirst: true }, pageSize);
    return { ids: ids.reverse(), next: ids.at(-1) ?? before, ...counted };
  }
  if (after !== undefined) {
    const belowId = after < all.belowId ? after : all.belowId;
    return { ...(await filterPage(db, list, { ...all, belowId }, pageSize)), ...counted };
  }
  const skipped = (page - 1) * pageSize;
  if (skipped >= count && isExact) return { ids: [], next: null, ...counted };
  if (skipped + pageSize > HIGHEST_COUNT)
    throw invalid(
      'page',
      `must be at most ${Math.floor(HIGHEST_COUNT / pageSize)} with these filters; follow \`next\``,
    );
  const { ids, next } = await filterPage(db, list, all, skipped + pageSize);
  return { ids: ids.slice(skipped), next, ...counted };
}

/** The records in the order of the ids. */
export function inOrder<Item extends { id: string }>(ids: readonly string[], items: readonly Item[]): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
