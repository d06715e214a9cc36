import { recordAudit } from '../audit/record-audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { recordEvent } from '../events/journal.ts';
import { notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { programNow } from '../programs/program.ts';
import { readProgram } from '../programs/queries.ts';
import { type Act, auditView, type CardRecord, eventView, type LockedCard } from './card.ts';
import { lockCard, updateEventSequence } from './queries.ts';

/**
 * Runs `work` on the locked card in one transaction. Unknown, malformed and foreign ids are the same 404. The act it
 * gets is of after the wait for the lock: changes of one card have their times and ids in the order of their commits.
 */
export async function withLockedCard<Result>(
  db: Database,
  act: Act,
  cardId: string,
  work: (tx: Tx, card: LockedCard, act: Act) => Promise<Result>,
): Promise<Result> {
  if (!isId(cardId)) throw notFound();
  return db.transaction(async (tx) => {
    const { id: programId } = act.caller.program;
    const [card, now] = await Promise.all([lockCard(tx, programId, cardId), readProgram(tx, programId)]);
    if (!card || !now) throw notFound();
    return work(tx, card, { ...act, nowMs: programNow(now.program, now.realNowMs) });
  });
}

/** The event and the audit entry of one change. */
export async function recordCardChange(
  tx: Tx,
  act: Act,
  name: 'card.created' | 'card.frozen' | 'card.unfrozen' | 'card.blocked' | 'card.reissued',
  before: LockedCard | null,
  after: CardRecord,
  extra: Record<string, unknown> = {},
): Promise<void> {
  const { programId, id: cardId } = after;
  const { nowMs } = act;
  const cardSequence = (before?.eventSequence ?? 0) + 1;
  recordEvent(tx, {
    programId,
    eventType: 'card',
    eventName: name,
    cardId,
    cardSequence,
    data: { ...eventView(after), ...extra },
    nowMs,
  });
  await Promise.all([
    before && updateEventSequence(tx, after, cardSequence),
    recordAudit(tx, {
      programId,
      actor: act.actor,
      address: act.address,
      action: name,
      cardId,
      before: before && auditView(before),
      after: { ...auditView(after), ...extra },
      requestId: act.requestId,
      nowMs,
    }),
  ]);
}
