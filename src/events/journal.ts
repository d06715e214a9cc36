import type { Tx } from '../db/database.ts';
import { newId } from '../kernel/ids.ts';
import type { AuditRecord, EventRecord } from './event.ts';
import { insertAuditEntry, insertEvent } from './queries.ts';

export const recordEvent = (tx: Tx, event: EventRecord): Promise<void> =>
  insertEvent(tx, { ...event, id: newId(event.nowMs) });

export const recordAudit = (tx: Tx, entry: AuditRecord): Promise<void> =>
  insertAuditEntry(tx, { ...entry, id: newId(entry.nowMs) });
