import type { Queryable } from '../db/database.ts';
import { MS_PER_DAY } from '../kernel/calendar.ts';
import { lowestIdAt } from '../kernel/ids.ts';
import type { Actor } from '../programs/actor.ts';
import { countWouldDecline } from './match-queries.ts';
import { GUARD_DAYS } from './rule.ts';

export interface LastWeekServices {
  /** The program's approvals since a moment of program time. */
  countApprovals(db: Queryable, programId: string, sinceMs: number): Promise<number>;
}

/** The approvals that a promotion looks at, and those of them that the rule, in SHADOW, would have declined. */
export async function readLastWeek(
  { countApprovals }: LastWeekServices,
  db: Queryable,
  { program, now }: Actor,
  ruleId: string,
): Promise<{ approvals: number; wouldDecline: number }> {
  const sinceMs = now() - GUARD_DAYS * MS_PER_DAY;
  const [approvals, wouldDecline] = await Promise.all([
    countApprovals(db, program.id, sinceMs),
    countWouldDecline(db, program.id, ruleId, lowestIdAt(sinceMs)),
  ]);
  return { approvals, wouldDecline };
}
