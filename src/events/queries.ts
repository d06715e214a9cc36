import type { Tx } from '../db/database.ts';
import type { NewEvent } from './event.ts';

/**
 * Inserts events of one program and one time, passed as one JSON text because most of an event is JSON. The same
 * statement inserts a delivery for every subscribed endpoint, so that no crash loses a delivery.
 */
export function insertEvents(tx: Tx, programId: string, events: readonly NewEvent[], createdAt: Date): void {
  tx.send(
    {
      name: 'insert_events',
      text: `with event as (
               insert into events
                 (program_id, id, event_type, event_name, card_id, card_sequence, data, created_at)
               select $1, id, "eventType", "eventName", "cardId", "cardSequence", data, $3
               from jsonb_to_recordset($2::jsonb) as event
                 (id uuid, "eventType" text, "eventName" text, "cardId" uuid, "cardSequence" integer, data jsonb)
               returning id, event_type)
             insert into webhook_deliveries (program_id, endpoint_id, event_id, status, due_at)
             select $1, e.id, event.id, 'PENDING', clock_timestamp()
             from event
             join webhook_endpoints e on e.program_id = $1 and e.status = 'ENABLED'
               and (e.event_types is null or event.event_type = any (e.event_types))`,
    },
    [programId, JSON.stringify(events), createdAt],
  );
}
