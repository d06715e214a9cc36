import type { Tx } from '../db/database.ts';
import { newId } from '../kernel/ids.ts';
import { findOperators } from '../operators/queries.ts';
import { insertDelivery } from './delivery-queries.ts';
import { maySee, type Notification } from './notification.ts';
import { listSubscribers } from './preference-queries.ts';

/** Plans what goes to each operator who chose e-mail or a webhook, in the transaction that opens the notification. */
export async function planDeliveries(tx: Tx, notification: Notification): Promise<void> {
  const subscribers = await listSubscribers(tx, notification.kind);
  const operators = await findOperators(
    tx,
    subscribers.map(({ operatorId }) => operatorId),
  );
  for (const operator of operators) {
    if (operator.disabledAt !== null || !maySee(operator, notification)) continue;
    const { channels = [] } = subscribers.find(({ operatorId }) => operatorId === operator.id) ?? {};
    for (const channel of channels)
      if (channel !== 'bell') await insertDelivery(tx, notification, newId(Date.now()), operator.id, channel);
  }
}
