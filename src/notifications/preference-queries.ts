import type { Queryable, Tx } from '../db/database.ts';
import type { NotificationKind } from './notification.ts';
import type { Channel, Preference } from './preferences.ts';

export const listPreferences = (db: Queryable, operatorId: string): Promise<Preference[]> =>
  db.query<Preference & Record<string, unknown>>(
    {
      name: 'list_notification_preferences',
      text: 'select kind, channels from notification_preferences where operator_id = $1',
    },
    [operatorId],
  );

export async function savePreferences(
  db: Queryable,
  operatorId: string,
  preferences: readonly Preference[],
): Promise<void> {
  for (const { kind, channels } of preferences)
    await db.query(
      `insert into notification_preferences (operator_id, kind, channels) values ($1, $2, $3)
       on conflict (operator_id, kind) do update set channels = excluded.channels`,
      [operatorId, kind, channels],
    );
}

/** Operators who want more than the bell for a kind. */
export const listSubscribers = (
  db: Queryable,
  kind: NotificationKind,
): Promise<Array<{ operatorId: string; channels: Channel[] }>> =>
  db.query(
    `select operator_id, channels from notification_preferences
     where kind = $1 and channels && array['email', 'webhook']`,
    [kind],
  );

export interface OperatorWebhook {
  operatorId: string;
  url: string;
  secretId: string;
}

export async function findWebhook(db: Queryable, operatorId: string): Promise<OperatorWebhook | undefined> {
  const rows = await db.query<OperatorWebhook & Record<string, unknown>>(
    'select operator_id, url, secret_id from notification_webhooks where operator_id = $1',
    [operatorId],
  );
  return rows[0];
}

export async function saveWebhook(tx: Tx, { operatorId, url, secretId }: OperatorWebhook): Promise<void> {
  await tx.query(
    `insert into notification_webhooks (operator_id, url, secret_id, created_at)
     values ($1, $2, $3, statement_timestamp())
     on conflict (operator_id) do update
     set url = excluded.url, secret_id = excluded.secret_id, created_at = excluded.created_at`,
    [operatorId, url, secretId],
  );
}

export async function deleteWebhook(tx: Tx, operatorId: string): Promise<void> {
  await tx.query('delete from notification_webhooks where operator_id = $1', [operatorId]);
}
