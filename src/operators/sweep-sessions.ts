import type { Database } from '../db/database.ts';
import { IDLE_MS } from './authenticate-session.ts';
import { deleteStaleAttempts, deleteStaleSessions } from './queries.ts';

const KEEP_ATTEMPTS_MS = 2 * 3_600_000;

/** What has ended is of no use to anybody; attempts are forgotten after two hours. */
export async function sweepSessions(db: Database): Promise<void> {
  await deleteStaleSessions(db, IDLE_MS);
  await deleteStaleAttempts(db, KEEP_ATTEMPTS_MS);
}
