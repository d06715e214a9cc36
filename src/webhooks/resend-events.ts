import type { Database } from '../db/database.ts';
import { parseTimestamp } from '../kernel/calendar.ts';
import { invalid, notFound } from '../kernel/error.ts';
import { isId, lowestIdAt } from '../kernel/ids.ts';
import { resendEvent as sendAgain, resendMissed as sendMissed } from './delivery-queries.ts';
import { findEndpoint, findEvent } from './queries.ts';

/** Events that one transaction looks at. */
const PAGE = 2_000;

/** Sends an event again under the same id: to all that want its type, or to the one named. Gives to how many. */
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

export interface Resent {
  deliveries: number;
  /** The event to go on from; null: that was all. */
  next: string | null;
}

/**
 * Sends everything, from an event on, that failed, or came up while an endpoint was disabled. Stops at the deadline, or
 * as soon after it as there is something done; what is done stays done, and what is sent already is missed no longer.
 */
export async function resendMissed(
  db: Database,
  programId: string,
  fromId: string,
  endpointId: string | undefined,
  deadline: number,
): Promise<Resent> {
  await requireEnabled(db, programId, endpointId);
  for (let deliveries = 0, next = fromId; ; ) {
    const page = await db.transaction((tx) => sendMissed(tx, programId, next, endpointId ?? null, PAGE));
    deliveries += page.deliveries;
    // The end is where the events end: how many of them were missed says nothing about those that follow.
    if (page.events < PAGE || page.lastId === null) return { deliveries, next: null };
    next = page.lastId;
    if (performance.now() >= deadline) return { deliveries, next };
  }
}

/** Where "since" begins: at a moment of the program's time, or at the event at which an earlier answer ended. */
export function readSince(since: string): string {
  if (isId(since)) return since;
  const ms = parseTimestamp(since);
  if (ms !== undefined) return lowestIdAt(ms);
  throw invalid(
    'since',
    'must be a timestamp with an offset, such as 2026-12-01T00:00:00Z, or `next` from a previous response',
  );
}

async function requireEnabled(
  db: Database,
  programId: string,
  endpointId: string | undefined,
): Promise<void> {
  if (endpointId === undefined) return;
  const endpoint = isId(endpointId) ? await findEndpoint(db, programId, endpointId) : undefined;
  if (!endpoint) throw invalid('endpointId', 'is not a webhook endpoint in this program');
  if (endpoint.status !== 'ENABLED') throw invalid('endpointId', 'is disabled; enable it first');
}
