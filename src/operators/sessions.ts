import type { Identity } from '../audit/entry.ts';
import type { Database } from '../db/database.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { auditEndedSessions } from './audit.ts';
import { IDLE_MS } from './authenticate-session.ts';
import type { Operator } from './operator.ts';
import { deleteSessionsOf, listSessions } from './queries.ts';

const MOST_SESSIONS = 100;

/** The valid sessions of an operator, the last used first. `own`: the session of the request. */
export async function readSessions(db: Database, operatorId: string, own?: Buffer) {
  const rows = await listSessions(db, operatorId, IDLE_MS, MOST_SESSIONS);
  return rows.map(({ id, tokenHash, device, address, createdAt, lastSeenAt }) => ({
    ...{ id, device, address },
    created: formatTimestamp(createdAt),
    lastUsed: formatTimestamp(lastSeenAt),
    isCurrent: own?.equals(tokenHash) ?? false,
  }));
}

/** Ends one session, or all except `keep`. It takes effect with the next request in every process. */
export async function endSessions(
  db: Database,
  by: Identity,
  operator: Operator,
  { sessionId, keep = null }: { sessionId?: string; keep?: Buffer | null },
): Promise<number> {
  if (sessionId !== undefined && !isId(sessionId)) throw notFound();
  return db.transaction(async (tx) => {
    const sessions = await deleteSessionsOf(tx, operator.id, keep, sessionId);
    if (sessionId !== undefined && sessions === 0) throw notFound();
    await auditEndedSessions(tx, by, operator, { sessionId, sessions });
    return sessions;
  });
}
