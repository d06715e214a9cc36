import type { Database } from '../db/database.ts';
import { IDLE_MS } from './authenticate-session.ts';
import { LOCK_MS } from './prove.ts';
import { deleteStaleAttempts, deleteStaleSessions } from './queries.ts';

/** Removes ended sessions, and attempts that no longer lock anything. */
export async function sweepSessions(db: Database): Promise<void> {
  await deleteStaleSessions(db, IDLE_MS);
  await deleteStaleAttempts(db, LOCK_MS);
}
