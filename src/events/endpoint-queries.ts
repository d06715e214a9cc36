import { column } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { parametersOf, valuesOf } from '../db/row.ts';
import type { Endpoint, SigningEndpoint } from './event.ts';

const ENDPOINT_COLUMNS = `
  e.program_id, e.id, e.url, e.event_types, e.status, e.status_reason, e.created_at`;
export const SIGNING_COLUMNS = `
  ${ENDPOINT_COLUMNS}, e.secret_id, e.previous_secret_id,
  e.previous_signs_until`;

const INSERTED = 'program_id, id, url, event_types, secret_id, status, created_at';

export async function insertEndpoint(tx: Tx, endpoint: SigningEndpoint): Promise<void> {
  await tx.query(
    `insert into webhook_endpoints (${INSERTED}) values (${parametersOf(INSERTED)})`,
    valuesOf(INSERTED, endpoint),
  );
}

export const listEndpoints = (db: Queryable, programId: string): Promise<Endpoint[]> =>
  db.query<Endpoint>(
    `select ${ENDPOINT_COLUMNS} from webhook_endpoints e
     where e.program_id = $1 and e.status <> 'REMOVED' order by e.id`,
    [programId],
  );

export async function findEndpoint(
  db: Queryable,
  programId: string,
  id: string,
): Promise<SigningEndpoint | undefined> {
  const rows = await db.query<SigningEndpoint>(
    `select ${SIGNING_COLUMNS} from webhook_endpoints e
     where e.program_id = $1 and e.id = $2 and e.status <> 'REMOVED'`,
    [programId, id],
  );
  return rows[0];
}

export async function lockEndpoint(
  tx: Tx,
  programId: string,
  id: string,
): Promise<SigningEndpoint | undefined> {
  const rows = await tx.query<SigningEndpoint>(
    {
      locks: true,
      text: `select ${SIGNING_COLUMNS} from webhook_endpoints e
             where e.program_id = $1 and e.id = $2 and e.status <> 'REMOVED' for update`,
    },
    [programId, id],
  );
  return rows[0];
}

const UPDATED =
  'status, url, status_reason, secret_id, previous_secret_id, previous_signs_until, event_types';

export async function updateEndpoint(tx: Tx, endpoint: SigningEndpoint): Promise<void> {
  await tx.query(
    `update webhook_endpoints
     set (${UPDATED}) = (${parametersOf(UPDATED, 3)}),
         -- Another receiver has not failed yet, and a pause is not a failure.
         failing_since = case when url = $4 and not (status = 'PAUSED' and $3 = 'ENABLED') then failing_since end
     where program_id = $1 and id = $2`,
    [endpoint.programId, endpoint.id, ...valuesOf(UPDATED, endpoint)],
  );
}

export function markAnswering(tx: Tx, programId: string, ids: readonly string[]): void {
  tx.send(
    {
      name: 'mark_endpoints_answering',
      text: `update webhook_endpoints set failing_since = null
             where program_id = $1 and id = any ($2::uuid[]) and failing_since is not null`,
    },
    [programId, column(ids)],
  );
}

/**
 * Records since when an endpoint has been failing. After a gap longer than any pause between retries, such as a quiet
 * week, the period starts again. The row of a busy endpoint is updated at most once a minute.
 */
export function markFailing(tx: Tx, programId: string, ids: readonly string[]): void {
  tx.send(
    {
      name: 'mark_endpoints_failing',
      // Distributed engines refuse a clock in CASE, so the time is a column.
      text: `update webhook_endpoints e
             set failed_at = clock.now,
                 failing_since = case when clock.now - e.failed_at < interval '2 days'
                                 then coalesce(e.failing_since, clock.now) else clock.now end
             from (select statement_timestamp() as now) clock
             where e.program_id = $1 and e.id = any ($2::uuid[])
               and (e.failing_since is null or e.failed_at < statement_timestamp() - interval '1 minute')`,
    },
    [programId, column(ids)],
  );
}

/** Disables endpoints that responded 410 Gone or have failed for too long. Returns the endpoints it disabled. */
export const disableEndpoints = (
  tx: Tx,
  programId: string,
  goneIds: readonly string[],
  failingIds: readonly string[],
  failingForMs: number,
): Promise<Endpoint[]> =>
  tx.query<Endpoint>(
    {
      name: 'disable_endpoints',
      text: `update webhook_endpoints e
             set status = 'DISABLED', failing_since = null,
                 status_reason = case when e.id = any ($2::uuid[]) then 'responded 410 Gone'
                                 else 'nothing was delivered for 5 days' end
             where e.program_id = $1 and e.status = 'ENABLED'
               and (e.id = any ($2::uuid[])
                    or e.id = any ($3::uuid[])
                       and e.failing_since < statement_timestamp() - $4 * interval '1 millisecond')
             returning ${ENDPOINT_COLUMNS}`,
    },
    [programId, column(goneIds), column(failingIds), failingForMs],
  );

/** Endpoints that were disabled by the system, or to which nothing has been delivered for a time: of all programs, or of the given one. */
export const listFailingEndpoints = (
  db: Queryable,
  failingForMs: number,
  programId?: string,
): Promise<Endpoint[]> =>
  db.query<Endpoint>(
    {
      name: `list_failing_endpoints${programId ? '_of_one' : ''}`,
      text: `select ${ENDPOINT_COLUMNS} from webhook_endpoints e
             where ${programId ? 'e.program_id = $2 and' : ''} (e.failing_since is not null or e.status = 'DISABLED')
               and (e.status = 'DISABLED' or e.status = 'ENABLED'
                    and e.failing_since < statement_timestamp() - $1::float8 * interval '1 ms')`,
    },
    [failingForMs, ...(programId ? [programId] : [])],
  );
