import type { Queryable, Tx } from '../db/database.ts';
import type { Due } from '../jobs/job.ts';
import type { Notification } from './notification.ts';
import type { Channel } from './preferences.ts';

export type SentChannel = Exclude<Channel, 'bell'>;

export async function insertDelivery(
  tx: Tx,
  { programId, id: notificationId }: Notification,
  id: string,
  operatorId: string,
  channel: SentChannel,
): Promise<void> {
  await tx.query(
    `insert into notification_deliveries (program_id, id, notification_id, operator_id, channel, status, due_at)
     values ($1, $2, $3, $4, $5, 'PENDING', statement_timestamp())`,
    [programId, id, notificationId, operatorId, channel],
  );
}

/** Programs with something to send, the longest due first: all, or the given one. */
export const listProgramsWithDue = (db: Queryable, limit: number, programId?: string): Promise<Due[]> =>
  db.query<Due & Record<string, unknown>>(
    {
      name: `list_due_notifications${programId ? '_of_one' : ''}`,
      text: `select program_id, extract(epoch from statement_timestamp() - min(due_at))::float8 * 1000 as age_ms
             from notification_deliveries
             where ${programId ? 'program_id = $2 and' : ''} due_at <= statement_timestamp()
             group by program_id order by min(due_at) limit $1`,
    },
    [limit, ...(programId ? [programId] : [])],
  );

export interface ClaimedDelivery extends Notification {
  deliveryId: string;
  operatorId: string;
  channel: SentChannel;
  /** From 1. It identifies the claim. */
  attempts: number;
}

/** Claims due deliveries of a program for the duration of the lease: a worker that dies leaves them due again. */
export const claimDeliveries = (
  db: Queryable,
  programId: string,
  limit: number,
  leaseMs: number,
): Promise<ClaimedDelivery[]> =>
  db.query<ClaimedDelivery & Record<string, unknown>>(
    {
      name: 'claim_notification_deliveries',
      locks: true,
      text: `with taken as (
               update notification_deliveries d
               set due_at = statement_timestamp() + $3::float8 * interval '1 ms', attempts = d.attempts + 1
               where d.program_id = $1 and d.id = any (array(
                 select id from notification_deliveries
                 where program_id = $1 and due_at <= statement_timestamp()
                 order by due_at limit $2 for update skip locked))
               returning d.id, d.notification_id, d.operator_id, d.channel, d.attempts)
             select t.id as delivery_id, t.operator_id, t.channel, t.attempts,
                    n.program_id, n.id, n.kind, n.subject, n.details, n.opened_at, n.closed_at
             from taken t join notifications n on n.program_id = $1 and n.id = t.notification_id`,
    },
    [programId, limit, leaseMs],
  );

export interface DeliveryOutcome {
  status: 'PENDING' | 'SENT' | 'FAILED' | 'DROPPED';
  error: string | null;
  /** For `PENDING`. */
  dueInMs: number | null;
}

/** A claim that has expired changes nothing. */
export async function recordDelivery(
  db: Queryable,
  { programId, deliveryId, attempts }: ClaimedDelivery,
  { status, error, dueInMs }: DeliveryOutcome,
): Promise<void> {
  await db.query(
    `update notification_deliveries d
     set status = $4, error = $5, due_at = statement_timestamp() + $6::float8 * interval '1 ms'
     where d.program_id = $1 and d.id = $2 and d.attempts = $3 and d.status = 'PENDING'`,
    [programId, deliveryId, attempts, status, error, dueInMs],
  );
}
