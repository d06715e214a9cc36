import type { Database } from '../db/database.ts';
import { invalid, notFound } from '../kernel/error.ts';
import { isId, lowestIdAt } from '../kernel/ids.ts';
import { findEndpoint, findEvent, resendEvent as sendAgain, resendMissed as sendMissed } from './queries.ts';

const BATCH = 1_000;

/** Sends an event again, to one endpoint or to all, under the same id. Gives to how many. */
export async function resendEvent(
  db: Database,
  programId: string,
  eventId: string,
  endpointId: string | undefined,
): Promise<number> {
  if (!isId(eventId) || !(await findEvent(db, programId, eventId))) throw notFound();
  await requireEnabled(db, programId, endpointId);
  return sendAgain(db, programId, eventId, endpointId ?? null);
}

/** Sends everything since a moment (of the program's time) that failed, or came up while an endpoint was disabled. */
export async function resendMissed(
  db: Database,
  programId: string,
  sinceMs: number,
  endpointId: string | undefined,
): Promise<number> {
  await requireEnabled(db, programId, endpointId);
  let sent = 0;
  for (let fromId = lowestIdAt(sinceMs); ; ) {
    const found = await sendMissed(db, programId, fromId, endpointId ?? null, BATCH);
    sent += found.length;
    if (found.length < BATCH) return sent;
    // The last event may have been missed by another endpoint too; what is sent again is missed no longer.
    fromId = found.reduce((last, { eventId }) => (eventId > last ? eventId : last), fromId);
  }
}

async function requireEnabled(
  db: Database,
  programId: string,
  endpointId: string | undefined,
): Promise<void> {
  if (endpointId === undefined) return;
  const endpoint = isId(endpointId) ? await findEndpoint(db, programId, endpointId) : undefined;
  if (!endpoint) throw invalid('endpointId', 'is no webhook endpoint of this program');
  if (endpoint.status !== 'ENABLED') throw invalid('endpointId', 'is disabled; enable it first');
}
