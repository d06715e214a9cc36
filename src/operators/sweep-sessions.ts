import type { Database } from '../db/database.ts';
import { IDLE_MS } from './authenticate-session.ts';
import { deleteStaleInvitations } from './invitation-queries.ts';
import { LOCK_MS } from './prove.ts';
import { deleteStaleAttempts, deleteStaleSessions } from './queries.ts';

/** Removes ended sessions, expired invitations, and attempts that no longer lock anything. */
export async function sweepSessions(db: Database): Promise<void> {
  await deleteStaleSessions(db, IDLE_MS);
  await deleteStaleInvitations(db);
  await deleteStaleAttempts(db, LOCK_MS);
}
