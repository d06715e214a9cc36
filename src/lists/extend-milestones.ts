import type { Queryable } from '../db/database.ts';
import { lowestIdAt } from '../kernel/ids.ts';
import { insertMilestones, type List, MILESTONE_INTERVAL, nameOf } from './queries.ts';

/**
 * A record gets its id before its transaction commits, so the newest stretch of a list can still gain
 * records in its middle. It is settled once no transaction can be that old any more; transactions are cut
 * off after seconds, a minute leaves room for clocks that differ.
 */
export const SETTLED_AFTER_MS = 60_000;

const MAX_RECORDS = 2_000_000;
const underWay = new Set<string>();

export interface ListClock {
  nowMs: number;
  /** Real time since the program's clock was last moved; right after a move nothing counts as settled. */
  sinceMoveMs: number;
}

/** Adds what milestones are missing, if the tail is long enough to be worth it. One at a time per list. */
export async function extendMilestones(
  db: Queryable,
  list: List,
  programId: string,
  tail: number,
  clock: ListClock,
): Promise<void> {
  const key = `${programId}/${nameOf(list)}`;
  if (tail < 2 * MILESTONE_INTERVAL || clock.sinceMoveMs < SETTLED_AFTER_MS || underWay.has(key)) return;
  underWay.add(key);
  try {
    await insertMilestones(db, list, programId, lowestIdAt(clock.nowMs - SETTLED_AFTER_MS), MAX_RECORDS);
  } finally {
    underWay.delete(key);
  }
}
