import { column, unnested } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { SIGNING_COLUMNS } from './endpoint-queries.ts';
import type { Endpoint, SigningEndpoint, StoredEvent } from './event.ts';
import { EVENT_COLUMNS } from './queries.ts';

/** Cancels all pending deliveries to an endpoint. */
export async function giveUpDeliveries(tx: Tx, programId: string, endpointId: string): Promise<void> {
  await tx.query(
    `update webhook_deliveries set status = 'FAILED', due_at = null
     where program_id = $1 and endpoint_id = $2 and due_at is not null`,
    [programId, endpointId],
  );
}

/** This time is constant during a statement, so the index scan ends at it, however many deliveries are due later. */
const IS_DUE = 'd.due_at <= statement_timestamp()';

/** Cancels deliveries that a transaction wrote before it could see that the endpoint was removed. */
export async function giveUpRemoved(db: Queryable, programId: string): Promise<void> {
  await db.query(
    `update webhook_deliveries d set status = 'FAILED', due_at = null from webhook_endpoints e
     where d.program_id = $1 and e.program_id = $1 and e.status = 'REMOVED' and d.endpoint_id = e.id
       and d.due_at is not null`,
    [programId],
  );
}

/**
 * One row if a delivery to any endpoint, of all programs or of the given one, has become due within this time and is not
 * claimed. It costs the same for any number of endpoints.
 */
export const findDueWithin = (db: Queryable, ms: number, programId?: string): Promise<object[]> =>
  db.query(
    {
      name: `find_due_within${programId ? '_of_one' : ''}`,
      text: `select d.due_at from webhook_deliveries d
             where ${programId ? 'd.program_id = $2 and' : ''} ${IS_DUE}
               and d.due_at >= statement_timestamp() - $1::float8 * interval '1 ms'
             order by d.due_at limit 1`,
    },
    [ms, ...(programId ? [programId] : [])],
  );

/** Enabled endpoints that have due deliveries or are in `ids`: of all programs, or of the given one. */
export const listDueEndpoints = (
  db: Queryable,
  ids: readonly string[],
  programId?: string,
): Promise<SigningEndpoint[]> =>
  db.query<SigningEndpoint>(
    {
      name: `list_due_endpoints${programId ? '_of_one' : ''}`,
      text: `select ${SIGNING_COLUMNS} from webhook_endpoints e
             where ${programId ? 'e.program_id = $2 and' : ''} e.status = 'ENABLED' and (e.id = any ($1::uuid[]) or exists (
               select from webhook_deliveries d
               where d.program_id = ${programId ? '$2' : 'e.program_id'} and d.endpoint_id = e.id and ${IS_DUE}))`,
    },
    [column(ids), ...(programId ? [programId] : [])],
  );

/**
 * Makes a due delivery of an endpoint due now. Workers look for what has become due lately, and the deliveries of an
 * endpoint that was paused or disabled became due long ago.
 */
export function touchDueDelivery(tx: Tx, programId: string, endpointId: string): void {
  tx.send(
    `update webhook_deliveries d set due_at = statement_timestamp()
     where d.program_id = $1 and d.endpoint_id = any (array[$2::uuid]) and d.event_id = any (array(
       select d.event_id from webhook_deliveries d
       where d.program_id = $1 and d.endpoint_id = $2 and ${IS_DUE} order by d.due_at desc limit 1))`,
    [programId, endpointId],
  );
}

/** A delivery that a worker may attempt. The claim is void after its time, or if the event was resent meanwhile. */
export interface Claim {
  eventId: string;
  /** The text exactly as PostgreSQL returns it, because it identifies the claim. */
  claimedUntil: string;
}

export interface ClaimedDelivery extends Claim {
  event: StoredEvent;
  /** The number of this attempt, from 1. */
  attempt: number;
  firstAttemptAt: Date;
}

/** Claims due deliveries for the duration of the lease, the longest due first. */
export async function claimDeliveries(
  db: Queryable,
  { programId, id }: Pick<Endpoint, 'programId' | 'id'>,
  limit: number,
  leaseMs: number,
): Promise<ClaimedDelivery[]> {
  const rows = await db.query<StoredEvent & Omit<ClaimedDelivery, 'event' | 'eventId'>>(
    {
      name: 'claim_webhook_deliveries',
      locks: true,
      // The arrays force the planner to look up each delivery by its key, whatever number it estimates. The endpoint is
      // an array too: with a plain value PostgreSQL before 17 would scan all deliveries of the endpoint.
      text: `with taken as (
               update webhook_deliveries d
               set due_at = lease.ends_at, attempts = d.attempts + 1,
                   first_attempt_at = coalesce(d.first_attempt_at, lease.starts_at)
               from (select statement_timestamp() as starts_at,
                            statement_timestamp() + $4 * interval '1 millisecond' as ends_at) lease
               where d.program_id = $1 and d.endpoint_id = any (array[$2::uuid]) and d.event_id = any (array(
                 select d.event_id from webhook_deliveries d
                 where d.program_id = $1 and d.endpoint_id = $2 and ${IS_DUE}
                   and exists (select from webhook_endpoints e
                               where e.program_id = $1 and e.id = $2 and e.status = 'ENABLED')
                 order by d.due_at limit $3 for update skip locked))
               returning d.event_id, d.due_at, d.attempts, d.first_attempt_at)
             select ${EVENT_COLUMNS}, t.due_at::text as claimed_until, t.attempts as attempt, t.first_attempt_at
             from taken t cross join lateral (
               select * from events e where e.program_id = $1 and e.id = t.event_id limit 1) e`,
    },
    [programId, id, limit, leaseMs],
  );
  return rows.map(({ claimedUntil, attempt, firstAttemptAt, ...event }) => ({
    eventId: event.id,
    claimedUntil,
    event,
    attempt,
    firstAttemptAt,
  }));
}

/** Returns claims without an attempt. */
export async function releaseDeliveries(
  db: Queryable,
  { programId, id }: Pick<Endpoint, 'programId' | 'id'>,
  claims: readonly Claim[],
): Promise<void> {
  await db.query(
    `update webhook_deliveries d set due_at = statement_timestamp(), attempts = d.attempts - 1
     from unnest($3::uuid[], $4::timestamptz[]) as claim (event_id, claimed_until)
     where d.program_id = $1 and d.event_id = claim.event_id and d.event_id = any ($3::uuid[])
       and d.endpoint_id = $2 and d.due_at = claim.claimed_until`,
    [
      programId,
      id,
      column(claims.map(({ eventId }) => eventId)),
      claims.map(({ claimedUntil }) => claimedUntil),
    ],
  );
}

export interface AttemptRecord {
  id: string;
  eventId: string;
  endpointId: string;
  statusCode: number | null;
  error: string | null;
  answerStart: string | null;
  durationMs: number;
  createdAt: Date;
}

export function insertAttempts(tx: Tx, programId: string, rows: readonly AttemptRecord[]): void {
  tx.send(
    {
      name: 'insert_webhook_attempts',
      text: `insert into webhook_attempts
               (program_id, id, event_id, endpoint_id, status_code, error, answer_start, duration_ms, created_at)
             select $1, ${unnested(2, 'uuid uuid uuid int text text int timestamptz')}`,
    },
    [
      programId,
      column(rows.map((row) => row.id)),
      column(rows.map((row) => row.eventId)),
      column(rows.map((row) => row.endpointId)),
      column(rows.map((row) => row.statusCode)),
      rows.map((row) => row.error),
      rows.map((row) => row.answerStart),
      column(rows.map((row) => row.durationMs)),
      column(rows.map((row) => row.createdAt.toISOString())),
    ],
  );
}

export interface DeliveryUpdate extends Claim {
  endpointId: string;
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  /** From now, by the database's clock. Null: never. */
  dueInMs: number | null;
}

/**
 * A void claim changes nothing, because the worker with the current claim records the outcome. One exception: a
 * delivery that had failed and arrived after all is marked as delivered.
 */
export function updateDeliveries(tx: Tx, programId: string, rows: readonly DeliveryUpdate[]): void {
  tx.send(
    {
      name: 'update_webhook_deliveries',
      // Distributed engines refuse to add an interval of a column: the sum may depend on the time zone.
      text: `update webhook_deliveries d
             set status = n.status,
                 due_at = to_timestamp(extract(epoch from statement_timestamp())::float8 + n.due_in_ms / 1000)
             from unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::float8[])
               as n (endpoint_id, event_id, claimed_until, status, due_in_ms)
             where d.program_id = $1 and d.event_id = n.event_id and d.endpoint_id = n.endpoint_id
               and d.event_id = any ($3::uuid[])
               and (d.due_at = n.claimed_until or d.status = 'FAILED' and n.status = 'DELIVERED')`,
    },
    [
      programId,
      column(rows.map((row) => row.endpointId)),
      column(rows.map((row) => row.eventId)),
      rows.map((row) => row.claimedUntil),
      column(rows.map((row) => row.status)),
      column(rows.map((row) => row.dueInMs)),
    ],
  );
}

export interface DeliveryRow {
  eventId: string;
  endpointId: string;
  url: string;
  status: DeliveryUpdate['status'];
  dueAt: Date | null;
}

export const listDeliveries = (
  db: Queryable,
  programId: string,
  eventIds: readonly string[],
): Promise<DeliveryRow[]> =>
  db.query<DeliveryRow>(
    `select d.event_id, d.endpoint_id, e.url, d.status, d.due_at
     from webhook_deliveries d
     join webhook_endpoints e on e.program_id = $1 and e.id = d.endpoint_id
     where d.program_id = $1 and d.event_id = any ($2::uuid[]) order by d.endpoint_id`,
    [programId, column(eventIds)],
  );

export const listAttempts = (
  db: Queryable,
  programId: string,
  eventIds: readonly string[],
): Promise<AttemptRecord[]> =>
  db.query<AttemptRecord>(
    `select id, event_id, endpoint_id, status_code, error, answer_start, duration_ms, created_at
     from webhook_attempts where program_id = $1 and event_id = any ($2::uuid[]) order by id`,
    [programId, column(eventIds)],
  );

/** Restarts existing deliveries from the first attempt. */
const SEND_AGAIN = `
  on conflict (program_id, event_id, endpoint_id) do update
  set status = 'PENDING', due_at = excluded.due_at, attempts = 0, first_attempt_at = null`;

/** Whether an endpoint `e` subscribes to an event `v`. */
const WANTED = 'e.event_types is null or v.event_type = any (e.event_types)';

/**
 * Sends an event to the enabled and paused endpoints that subscribe to it, or to the given one, even if they received it before.
 */
export async function resendEvent(
  db: Queryable,
  programId: string,
  eventId: string,
  endpointId: string | null,
): Promise<number> {
  const rows = await db.query(
    `insert into webhook_deliveries (program_id, endpoint_id, event_id, status, due_at)
     select $1, e.id, v.id, 'PENDING', statement_timestamp()
     from events v join webhook_endpoints e on e.program_id = $1 and e.status in ('ENABLED', 'PAUSED')
       and (e.id = $3 or $3::uuid is null and (${WANTED}))
     where v.program_id = $1 and v.id = $2
     ${SEND_AGAIN} returning 1`,
    [programId, eventId, endpointId],
  );
  return rows.length;
}

export interface MissedPage {
  /** The number of events found, up to the limit, and the last one's id. */
  events: number;
  lastId: string | null;
  /** The number of deliveries started. */
  deliveries: number;
}

/** A delivery `had` that failed or waits for a retry. One that waits for its first attempt is being sent already. */
const UNDELIVERED = (had: string): string =>
  `${had}.status = 'FAILED' or ${had}.status = 'PENDING' and ${had}.attempts > 0`;

/**
 * Reads up to `limit` events from an id on. Restarts their deliveries that failed or wait for a retry, also of a type that
 * the endpoint no longer subscribes to, and starts those that an endpoint subscribes to and never got, if it existed at
 * the time of the event.
 */
export async function resendMissed(
  db: Queryable,
  programId: string,
  fromId: string,
  endpointId: string | null,
  limit: number,
): Promise<MissedPage> {
  const rows = await db.query<MissedPage>(
    {
      // The planner must scan the index of the events and look up each delivery, however few events it estimates: hence
      // a limit that it cannot see, and one on the look-up. The order makes concurrent calls lock the rows in the same
      // order.
      text: `with page as (
               select v.id, v.event_type from events v
               where v.program_id = $1 and v.id >= $2 order by v.id limit (select $4::int)),
             sent as (
               insert into webhook_deliveries as d (program_id, endpoint_id, event_id, status, due_at)
               select $1, e.id, v.id, 'PENDING', statement_timestamp()
               from page v
               join webhook_endpoints e on e.program_id = $1 and e.status in ('ENABLED', 'PAUSED')
                 and ($3::uuid is null or e.id = $3)
               left join lateral (
                 select d.status, d.attempts from webhook_deliveries d
                 where d.program_id = $1 and d.event_id = v.id and d.endpoint_id = e.id limit 1) had on true
               where ${UNDELIVERED('had')} or had.status is null and v.id > e.id and (${WANTED})
               order by v.id, e.id
               ${SEND_AGAIN} where ${UNDELIVERED('d')}
               returning 1)
             select (select count(*) from page)::int as events,
                    (select id from page order by id desc limit 1) as last_id,
                    (select count(*) from sent)::int as deliveries`,
    },
    [programId, fromId, endpointId, limit],
  );
  return rows[0] ?? { events: 0, lastId: null, deliveries: 0 };
}
