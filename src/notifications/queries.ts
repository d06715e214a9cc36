import type { Queryable, Tx } from '../db/database.ts';
import type { Condition, Notification, NotificationKind } from './notification.ts';

const COLUMNS = 'n.program_id, n.id, n.kind, n.subject, n.details, n.opened_at, n.closed_at';

/** Open notifications of all programs, or of the given one. */
export const listOpen = (db: Queryable, programId?: string): Promise<Notification[]> =>
  db.query<Notification>(
    {
      name: `list_open_notifications${programId ? '_of_one' : ''}`,
      text: `select ${COLUMNS} from notifications n
             where ${programId ? 'n.program_id = $1 and' : ''} n.closed_at is null`,
    },
    programId ? [programId] : [],
  );

/** The condition returned shortly after its end: that is the same notification. False if there is none. */
export async function reopen(
  tx: Tx,
  { programId, kind, subject, details }: Condition,
  withinMs: number,
): Promise<boolean> {
  const rows = await tx.query(
    `update notifications n set closed_at = null, details = $4
     where n.program_id = $1 and n.kind = $2 and n.subject = $3 and n.id = (
       select id from notifications
       where program_id = $1 and kind = $2 and subject = $3 order by id desc limit 1)
       and n.closed_at > statement_timestamp() - $5::float8 * interval '1 ms'
     returning n.id`,
    [programId, kind, subject, details, withinMs],
  );
  return rows.length === 1;
}

/** Undefined if another worker opened one meanwhile. */
export async function insertNotification(
  tx: Tx,
  { programId, kind, subject, details }: Condition,
  id: string,
): Promise<Notification | undefined> {
  const rows = await tx.query<Notification>(
    `insert into notifications as n (program_id, id, kind, subject, details, opened_at)
     values ($1, $2, $3, $4, $5, statement_timestamp())
     on conflict (program_id, kind, subject) where closed_at is null do nothing returning ${COLUMNS}`,
    [programId, id, kind, subject, details],
  );
  return rows[0];
}

export async function updateDetails(
  tx: Tx,
  { programId, id }: Notification,
  details: Condition['details'],
): Promise<void> {
  await tx.query('update notifications set details = $3 where program_id = $1 and id = $2', [
    programId,
    id,
    details,
  ]);
}

export async function closeNotification(tx: Tx, { programId, id }: Notification): Promise<void> {
  await tx.query(
    `update notifications set closed_at = statement_timestamp()
     where program_id = $1 and id = $2 and closed_at is null`,
    [programId, id],
  );
}

export interface ListedNotification extends Notification {
  isRead: boolean;
}

/** Open ones first, then those that were open within a time, newest first. */
export const listNotifications = (
  db: Queryable,
  programId: string,
  operatorId: string,
  kinds: readonly NotificationKind[],
  withinMs: number,
  limit: number,
): Promise<ListedNotification[]> =>
  db.query<ListedNotification>(
    {
      name: 'list_notifications',
      text: `select ${COLUMNS}, exists (
               select from notification_reads r
               where r.program_id = $1 and r.notification_id = n.id and r.operator_id = $2) as is_read
             from notifications n
             where n.program_id = $1 and n.kind = any ($3::text[])
               and (n.closed_at is null or n.closed_at > statement_timestamp() - $4::float8 * interval '1 ms')
             order by (n.closed_at is null) desc, n.id desc limit $5`,
    },
    [programId, operatorId, kinds, withinMs, limit],
  );

/** Ids that no notification of the program has are ignored. */
export async function insertReads(
  db: Queryable,
  programId: string,
  operatorId: string,
  ids: readonly string[],
): Promise<void> {
  await db.query(
    `insert into notification_reads (program_id, notification_id, operator_id)
     select $1, n.id, $2 from notifications n where n.program_id = $1 and n.id = any ($3::uuid[])
     on conflict do nothing`,
    [programId, operatorId, ids],
  );
}

export async function deleteClosedBefore(db: Queryable, keptMs: number): Promise<void> {
  await db.query(
    `delete from notifications where closed_at < statement_timestamp() - $1::float8 * interval '1 ms'`,
    [keptMs],
  );
}
