import { readTime } from '../db/clock.ts';
import type { Tx } from '../db/database.ts';
import { newId } from '../kernel/ids.ts';
import type { AuditAction } from './actions.ts';
import { type AuditActor, type Entry, type Identity, INSTALLATION_ID } from './entry.ts';
import { insertEntry } from './queries.ts';

export type AuditDetails = Partial<Pick<Entry, 'cardId' | 'before' | 'after'>>;

/** Writes an entry in the transaction of the change, at the actor's time. It names both people if a second one approved. */
export function audit(
  tx: Tx,
  { program, name, address, requestId, approvedBy, now }: AuditActor,
  action: AuditAction,
  { cardId = null, before = null, after: values = null }: AuditDetails = {},
): Promise<void> {
  const nowMs = now();
  const after = approvedBy === undefined ? values : { ...values, approvedBy };
  const who = { actor: name, address, requestId };
  const entry = { id: newId(nowMs), ...who, action, cardId, before, after, createdAt: new Date(nowMs) };
  return insertEntry(tx, program.id, entry);
}

/** Writes an entry that belongs to no program, at the database's time. Call it after the transaction got its locks. */
export async function auditInstallation(
  tx: Tx,
  identity: Identity,
  action: AuditAction,
  details: AuditDetails,
): Promise<void> {
  const nowMs = await readTime(tx);
  await audit(tx, { ...identity, program: { id: INSTALLATION_ID }, now: () => nowMs }, action, details);
}
