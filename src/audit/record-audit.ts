import type { Tx } from '../db/database.ts';
import { newId } from '../kernel/ids.ts';
import type { AuditRecord } from './entry.ts';
import { insertEntry } from './queries.ts';

/** Written in the transaction of the change it tells of. */
export const recordAudit = (tx: Tx, entry: AuditRecord): Promise<void> =>
  insertEntry(tx, { ...entry, id: newId(entry.nowMs) });
