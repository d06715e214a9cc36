import { column } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { NewEvent, StoredEvent } from './event.ts';
import type { EventName, EventType } from './names.ts';

/**
 * Inserts events of one program and one time, passed as one JSON text because most of an event is JSON, and a delivery
 * for every subscribed endpoint.
 */
export function insertEvents(tx: Tx, programId: string, events: readonly NewEvent[], createdAt: Date): void {
  tx.send(
    {
      name: 'insert_events',
      text: `insert into events (program_id, id, event_type, event_name, card_id, card_sequence, data, created_at)
             select $1, id, "eventType", "eventName", "cardId", "cardSequence", data, $3
             from jsonb_to_recordset($2::jsonb) as event
               (id uuid, "eventType" text, "eventName" text, "cardId" uuid, "cardSequence" integer, data jsonb)`,
    },
    [programId, JSON.stringify(events), createdAt],
  );
  tx.send(
    {
      name: 'insert_deliveries',
      text: `insert into webhook_deliveries (program_id, endpoint_id, event_id, status, due_at)
             select $1, e.id, event.id, 'PENDING', statement_timestamp()
             from webhook_endpoints e join unnest($2::uuid[], $3::text[]) as event (id, event_type)
               on e.event_types is null or event.event_type = any (e.event_types)
             where e.program_id = $1 and e.status in ('ENABLED', 'PAUSED')`,
    },
    [programId, column(events.map(({ id }) => id)), column(events.map(({ eventType }) => eventType))],
  );
}

/** For `lists/`. */
export const EVENT_LIST = { table: 'events' };

export const EVENT_COLUMNS = `
  e.id, e.event_type, e.event_name, e.card_id, e.card_sequence, e.data, e.created_at`;

/** One page, newest first, with `id` between `lowestId` and `fromId`, both inclusive. */
export const listEvents = (
  db: Queryable,
  programId: string,
  fromId: string,
  lowestId: string,
  limit: number,
): Promise<StoredEvent[]> =>
  db.query<StoredEvent>(
    {
      name: 'list_events',
      text: `select ${EVENT_COLUMNS} from events e
             where e.program_id = $1 and e.id <= $2 and e.id >= $3 order by e.id desc limit $4`,
    },
    [programId, fromId, lowestId, limit],
  );

export async function findEvent(
  db: Queryable,
  programId: string,
  id: string,
): Promise<StoredEvent | undefined> {
  const rows = await db.query<StoredEvent>(
    `select ${EVENT_COLUMNS} from events e where e.program_id = $1 and e.id = $2`,
    [programId, id],
  );
  return rows[0];
}

/** The id of the program's newest event. */
export async function findNewestEvent(db: Queryable, programId: string): Promise<string | undefined> {
  const rows = await db.query<{ id: string }>(
    {
      name: 'find_newest_event',
      text: 'select id from events where program_id = $1 order by id desc limit 1',
    },
    [programId],
  );
  return rows[0]?.id;
}

/** The ids of all events from an id on, oldest first. */
export async function listEventIds(db: Queryable, programId: string, fromId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    {
      name: 'list_event_ids',
      text: 'select id from events where program_id = $1 and id >= $2 order by id',
    },
    [programId, fromId],
  );
  return rows.map(({ id }) => id);
}

export const findEvents = (
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<StoredEvent[]> =>
  db.query<StoredEvent>(
    {
      name: 'find_events',
      text: `select ${EVENT_COLUMNS} from events e
             where e.program_id = $1 and e.id = any ($2::uuid[]) order by e.id`,
    },
    [programId, column(ids)],
  );

/** For a larger query: the event with an id. Arguments are SQL. */
export const eventWithId = (program: string, id: string): string =>
  `(select id, event_name, card_id, data from events where program_id = ${program} and id = ${id} limit 1)`;

/** For a larger query: a program's events of some types from one id on and below another, as `e`. Ids are SQL. */
export const eventsBetween = (
  program: string,
  fromId: string,
  belowId: string,
  ...types: EventType[]
): string =>
  `(select id, event_name, card_id, data, created_at from events
    where program_id = ${program} and id >= ${fromId} and id < ${belowId}
      and event_type in (${types.map((type) => `'${type}'`).join(', ')})) e`;

/** For a larger query: the newest events from one id on and below another. Arguments are SQL. */
export const newestEvents = (program: string, fromId: string, belowId: string, limit: string): string =>
  `(select data from events
    where program_id = ${program} and id >= ${fromId} and id < ${belowId} order by id desc limit ${limit})`;

/** For a larger query: the first events of transactions after one id and below another, as `e`; of some names only, if given. */
export const transactionEventsAfter = (
  program: string,
  afterId: string,
  belowId: string,
  limit: string,
  names: readonly EventName<'transaction'>[] = [],
): string =>
  // The planner must not see the limit; see `lookedAt`.
  `(select id, event_name, card_id, data from events
    where program_id = ${program} and id > ${afterId} and id < ${belowId} and event_type = 'transaction'
      ${names.length > 0 ? `and event_name in ('${names.join("', '")}')` : ''}
    order by id limit (select ${limit}::int)) e`;

/** Whether a card has had an event with one of these names since an id. */
export async function hasCardEventSince(
  db: Queryable,
  programId: string,
  names: readonly EventName<'card'>[],
  fromId: string,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 as one from events
     where program_id = $1 and id >= $3 and event_type <> 'transaction' and event_name = any ($2::text[]) limit 1`,
    [programId, names, fromId],
  );
  return rows.length > 0;
}
