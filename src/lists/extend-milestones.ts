import { hasPrepared } from '../db/cluster.ts';
import type { Database } from '../db/database.ts';
import { lowestIdAt } from '../kernel/ids.ts';
import { insertMilestones, type List, MILESTONE_INTERVAL, nameOf } from './queries.ts';

/**
 * A record gets its id before its transaction commits, so records can still appear between the newest ids of a list. An
 * id is settled once no open transaction can be that old. Transactions are cancelled after seconds; a minute leaves
 * room for clocks that differ. On a cluster a transaction between its two phases can be older: `hasPrepared`.
 */
export const SETTLED_AFTER_MS = 60_000;

const MAX_RECORDS = 2_000_000;
const underWay = new Set<string>();

export interface ListClock {
  nowMs: number;
  /** Real time since the program's clock was last moved. Right after a move, no record counts as settled. */
  sinceMoveMs: number;
}

/** Adds missing milestones if the tail is long enough. Each process runs one call per list at a time. */
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
    if (await hasPrepared(db, programId)) return;
    await insertMilestones(db, list, programId, lowestIdAt(clock.nowMs - SETTLED_AFTER_MS), MAX_RECORDS);
  } finally {
    underWay.delete(key);
  }
}
