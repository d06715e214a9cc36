import type { Database } from '../db/database.ts';
import { extendMilestones, type ListClock } from './extend-milestones.ts';
import { findPage, type PageRequest } from './find-page.ts';
import type { List } from './queries.ts';

/**
 * Returns a page, newest first. It contains one record more than requested if another page follows. `read` gets the
 * window: `id <= fromId and id >= lowestId order by id desc limit n`.
 */
export async function readPage<Item>(
  db: Database,
  list: List,
  programId: string,
  request: PageRequest,
  clock: ListClock,
  read: (fromId: string, lowestId: string, limit: number) => Promise<Item[]>,
  onError: (error: unknown) => void,
): Promise<{ count: number; records: Item[] }> {
  const { count, tail, fromId, lowestId } = await findPage(db, list, programId, request);
  // In the background: later requests count a shorter tail.
  extendMilestones(db, list, programId, tail, clock).catch(onError);
  if (fromId === undefined) return { count, records: [] };
  return { count, records: await read(fromId, lowestId, request.pageSize + 1) };
}
