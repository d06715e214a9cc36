import { clockFrom } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Job, Turn } from './job.ts';
import { leaseJob, listDue, type ProgramJobName, scheduleJob } from './queries.ts';

/** Longer than a turn takes. A worker that dies delays the next turn of its programs by no more than this. */
const LEASE_MS = 15_000;
const MOST_FOUND = 1_000;

/**
 * A job that is due in a program at a time of its own. `work` gets the time and returns when the job is due next, both in
 * real time by the database's clock.
 */
export const programJob = (
  db: Database,
  name: ProgramJobName,
  { everyMs, atOnce = 2 }: { everyMs: number; atOnce?: number },
  work: (programId: string, turn: Turn, nowMs: number) => Promise<number>,
): Job => ({
  name,
  everyMs,
  atOnce,
  findDue: (programId) => listDue(db, name, MOST_FOUND, programId),
  async work({ programId }, turn) {
    const lease = await leaseJob(db, programId, name, LEASE_MS);
    if (lease === undefined) return false;
    const now = clockFrom(lease.nowMs);
    const dueMs = await work(programId, turn, lease.nowMs);
    await scheduleJob(db, programId, name, lease, dueMs);
    return dueMs <= now();
  },
});
