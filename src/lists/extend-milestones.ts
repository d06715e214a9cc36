import { type Database, SETTLED_AFTER_MS } from '../db/database.ts';
import { lowestIdAt } from '../kernel/ids.ts';
import { insertMilestones, type List, MILESTONE_INTERVAL, nameOf } from './queries.ts';

const MAX_RECORDS = 2_000_000;
const underWay = new Set<string>();

export interface ListClock {
  nowMs: number;
  /** Real time since the program's clock was last moved. Right after a move, no record counts as settled. */
  sinceMoveMs: number;
}

/**
 * Adds missing milestones if the tail is long enough. A record gets its id before its transaction commits, so records can
 * still appear between the newest ids of a list: an id gets a milestone once it is settled. Each process runs one call per
 * list at a time.
 */
export async function extendMilestones(
  db: Database,
  list: List,
  programId: string,
  tail: number,
  clock: ListClock,
): Promise<void> {
  const key = `${programId}/${nameOf(list)}`;
  if (tail < 2 * MILESTONE_INTERVAL || clock.sinceMoveMs < SETTLED_AFTER_MS || underWay.has(key)) return;
  underWay.add(key);
  try {
    if (!(await db.settledBefore(programId, SETTLED_AFTER_MS))) return;
    await insertMilestones(db, list, programId, lowestIdAt(clock.nowMs - SETTLED_AFTER_MS), MAX_RECORDS);
  } finally {
    underWay.delete(key);
  }
}
