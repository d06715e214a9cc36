import { audit } from '../audit/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { recordEvent } from '../events/journal.ts';
import type { EventName } from '../events/names.ts';
import { notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { type Actor, lockFor } from '../programs/actor.ts';
import { auditView, type CardRecord, eventView, type LockedCard } from './card.ts';
import { updateEventSequence } from './counter-queries.ts';
import { lockCard } from './queries.ts';

/** Runs `work` on the locked card in one transaction. Unknown, malformed and foreign ids give the same 404. */
export async function withLockedCard<Result>(
  db: Database,
  actor: Actor,
  cardId: string,
  work: (tx: Tx, card: LockedCard, current: Actor) => Promise<Result>,
): Promise<Result> {
  if (!isId(cardId)) throw notFound();
  return db.transaction(async (tx) => {
    const [card, current] = await lockFor(tx, actor, lockCard(tx, actor.program.id, cardId));
    return work(tx, card, current);
  });
}

/** Writes the event and the audit entry of a change. */
export async function recordCardChange(
  tx: Tx,
  actor: Actor,
  name: EventName<'card'>,
  before: LockedCard | null,
  after: CardRecord,
  extra: Record<string, unknown> = {},
): Promise<void> {
  const { programId, id: cardId } = after;
  const cardSequence = (before?.eventSequence ?? 0) + 1;
  recordEvent(tx, {
    programId,
    eventType: 'card',
    eventName: name,
    cardId,
    cardSequence,
    data: { ...eventView(after), ...extra },
    nowMs: actor.now(),
  });
  await Promise.all([
    before && updateEventSequence(tx, after, cardSequence),
    audit(tx, actor, name, {
      cardId,
      before: before && auditView(before),
      after: { ...auditView(after), ...extra },
    }),
  ]);
}
