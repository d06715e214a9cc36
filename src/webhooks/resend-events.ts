import type { Database } from '../db/database.ts';
import { resendEvent as sendAgain, resendMissed as sendMissed } from '../events/delivery-queries.ts';
import { findEndpoint, listEndpoints } from '../events/endpoint-queries.ts';
import { findEvent } from '../events/queries.ts';
import { parseTimestamp } from '../kernel/calendar.ts';
import { invalid, notFound } from '../kernel/error.ts';
import { isId, lowestIdAt } from '../kernel/ids.ts';

/** Events that one transaction reads. */
const PAGE = 2_000;

/**
 * Sends an event again with the same id, to all endpoints that subscribe to its type or to the given one. Returns the
 * number of deliveries.
 */
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
  /** The event to continue from. Null: complete. */
  next: string | null;
}

/**
 * Sends again all events from an id on that failed, wait for a retry, or occurred while an endpoint was disabled. After
 * the deadline it stops at the end of the current page. Completed pages are committed, and their deliveries start again.
 */
export async function resendMissed(
  db: Database,
  programId: string,
  since: string | undefined,
  endpointId: string | undefined,
  deadline: number,
): Promise<Resent> {
  await requireEnabled(db, programId, endpointId);
  const fromId = since === undefined ? await findOldestEndpointId(db, programId) : readSince(since);
  if (fromId === undefined) return { deliveries: 0, next: null };
  for (let deliveries = 0, next = fromId; ; ) {
    const page = await db.transaction((tx) => sendMissed(tx, programId, next, endpointId ?? null, PAGE));
    deliveries += page.deliveries;
    // Only the end of the events ends the loop: a page without missed events says nothing about the next page.
    if (page.events < PAGE || page.lastId === null) return { deliveries, next: null };
    next = page.lastId;
    if (performance.now() >= deadline) return { deliveries, next };
  }
}

/** No endpoint missed an event that is older than itself, and ids of endpoints are in program time like those of events. */
const findOldestEndpointId = async (db: Database, programId: string): Promise<string | undefined> =>
  (await listEndpoints(db, programId))[0]?.id;

/** The start of `since`: a moment in program time, or `next` from an earlier response. */
function readSince(since: string): string {
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
  if (endpoint.status === 'DISABLED') throw invalid('endpointId', 'is disabled; enable it first');
}
