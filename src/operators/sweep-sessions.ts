import type { Database } from '../db/database.ts';
import { IDLE_MS } from './authenticate-session.ts';
import { LOCK_MS } from './prove.ts';
import { deleteStaleAttempts, deleteStaleSessions } from './queries.ts';

/** Removes sessions that have ended, and attempts that lock nothing any more. */
export async function sweepSessions(db: Database): Promise<void> {
  await deleteStaleSessions(db, IDLE_MS);
  await deleteStaleAttempts(db, LOCK_MS);
}
