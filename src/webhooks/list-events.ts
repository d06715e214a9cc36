import type { Database, Queryable } from '../db/database.ts';
import {
  type AttemptRecord,
  type DeliveryRow,
  listAttempts,
  listDeliveries,
} from '../events/delivery-queries.ts';
import type { StoredEvent } from '../events/event.ts';
import { EVENT_LIST, findEvent, findEvents, listEvents as listEventRecords } from '../events/queries.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { type FoundPage, findFilteredPage, inOrder } from '../lists/filtered-page.ts';
import { type Filters, isFiltered, matchingOf } from '../lists/filters.ts';
import type { PageRequest } from '../lists/find-page.ts';
import { readPage } from '../lists/read-page.ts';
import { type Actor, listClock } from '../programs/actor.ts';
import { viewOf } from './event-body.ts';

export type EventView = Awaited<ReturnType<typeof presentEvents>>[number];

/** A page of a program's events, each with its deliveries. */
export async function listEvents(
  db: Database,
  actor: Actor,
  request: PageRequest,
  [filters, given]: [Filters<unknown>, object],
  onError: (error: unknown) => void,
): Promise<{ count: number; events: EventView[]; found?: FoundPage }> {
  const { id: programId } = actor.program;
  if (isFiltered(filters, given)) {
    const matching = matchingOf(EVENT_LIST, filters, given, undefined);
    const found = await findFilteredPage(db, matching, programId, request);
    const records = inOrder(found.ids, await findEvents(db, programId, found.ids));
    return { count: found.count, events: await presentEvents(db, programId, records), found };
  }
  const { count, records } = await readPage(
    db,
    EVENT_LIST,
    programId,
    request,
    listClock(actor),
    (fromId, lowestId, limit) => listEventRecords(db, programId, fromId, lowestId, limit),
    onError,
  );
  return { count, events: await presentEvents(db, programId, records) };
}

export async function retrieveEvent(db: Queryable, programId: string, id: string): Promise<EventView> {
  const event = isId(id) ? await findEvent(db, programId, id) : undefined;
  if (!event) throw notFound();
  const [view] = await presentEvents(db, programId, [event]);
  return view as EventView;
}

/** Events by their ids, oldest first, each with its deliveries. */
export const readEvents = async (
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<EventView[]> => presentEvents(db, programId, await findEvents(db, programId, ids));

async function presentEvents(db: Queryable, programId: string, events: readonly StoredEvent[]) {
  const ids = events.map(({ id }) => id);
  const [deliveries, attempts] = await Promise.all([
    listDeliveries(db, programId, ids),
    listAttempts(db, programId, ids),
  ]);
  return events.map((event) => ({
    id: event.id,
    ...viewOf(event),
    deliveries: deliveries
      .filter(({ eventId }) => eventId === event.id)
      .map((delivery) => presentDelivery(delivery, attempts)),
  }));
}

const presentDelivery = (
  { eventId, endpointId, url, status, dueAt }: DeliveryRow,
  attempts: readonly AttemptRecord[],
) => ({
  endpointId,
  url,
  status,
  nextAttempt: status === 'PENDING' && dueAt ? formatTimestamp(dueAt) : null,
  attempts: attempts
    .filter((attempt) => attempt.eventId === eventId && attempt.endpointId === endpointId)
    .map(({ createdAt, statusCode, error, answerStart, durationMs }) => ({
      created: formatTimestamp(createdAt),
      statusCode,
      error,
      answerStart,
      durationMs,
    })),
});
