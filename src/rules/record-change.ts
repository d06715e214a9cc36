import type { AuditAction } from '../audit/actions.ts';
import { audit } from '../audit/audit.ts';
import type { Tx } from '../db/database.ts';
import { recordEvent } from '../events/journal.ts';
import type { EventName } from '../events/names.ts';
import type { Actor } from '../programs/actor.ts';

/** The event and the audit entry of a change. The views hold no condition and no value of a list. */
export async function recordChange(
  tx: Tx,
  actor: Actor,
  name: EventName<'rule'> & AuditAction,
  before: Record<string, unknown> | null,
  after: Record<string, unknown>,
): Promise<void> {
  const { id: programId } = actor.program;
  recordEvent(tx, { programId, eventType: 'rule', eventName: name, data: after, nowMs: actor.now() });
  await audit(tx, actor, name, { before, after });
}
