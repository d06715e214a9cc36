import type { Tx } from '../db/database.ts';
import type { AuditRecord, EventRecord, NewEvent } from './event.ts';

export async function insertEvent(tx: Tx, event: EventRecord & { id: string }): Promise<void> {
  await tx.query(
    {
      name: 'insert_event',
      text: `insert into events (program_id, id, event_type, event_name, card_id, card_sequence, data, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    },
    [
      event.programId,
      event.id,
      event.eventType,
      event.eventName,
      event.cardId,
      event.cardSequence,
      event.data,
      new Date(event.nowMs),
    ],
  );
}

export async function insertAuditEntry(tx: Tx, entry: AuditRecord & { id: string }): Promise<void> {
  await tx.query(
    {
      name: 'insert_audit_entry',
      text: `insert into audit_entries (program_id, id, actor, action, card_id, before, after, request_id, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    },
    [
      entry.programId,
      entry.id,
      entry.actor,
      entry.action,
      entry.cardId,
      entry.before,
      entry.after,
      entry.requestId,
      new Date(entry.nowMs),
    ],
  );
}

/** Many events of one program and one moment, as one JSON text: most of an event is JSON anyway. */
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
}
