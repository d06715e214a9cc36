import { audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
import type { Remember } from '../http/idempotency.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { newId } from '../kernel/ids.ts';
import { type Actor, operatorIdOf, readActor } from '../programs/actor.ts';
import { type MakeOrRequest, needsSecondPerson, type RequestedApproval } from '../programs/second-person.ts';
import { APPROVAL_LIFE_MS, type Approval, type ApprovalKind } from './approval.ts';
import { auditView } from './audit-view.ts';
import { kindOf } from './kinds.ts';
import { insertApproval } from './queries.ts';
import { rehearse } from './rehearse.ts';

export const createMakeOrRequest =
  (db: Database): MakeOrRequest =>
  async (actor, kind, payload, make, remember) => {
    const amountMinor = kindOf(kind).amountOf(payload, actor.program.currency);
    const isForTwo = ({ program }: Actor) => needsSecondPerson(program.secondPersonAboveMinor, amountMinor);
    const request = () => requestApproval(db, actor, kind, payload, remember);
    if (isForTwo(actor)) return request();
    const isForTwoNow = new Error('a second person is needed by now');
    try {
      return await db.transaction(async (tx) => {
        const answer = await make(tx);
        // After the locks of the change, for which it may have waited.
        if (isForTwo(await readActor(tx, actor, actor.program.id))) throw isForTwoNow;
        return answer;
      });
    } catch (error) {
      if (error === isForTwoNow) return request();
      throw error;
    }
  };

/** Keeps a change for a second person. One that would be refused now is refused. */
export async function requestApproval(
  db: Database,
  actor: Actor,
  kind: ApprovalKind,
  payload: Record<string, unknown>,
  remember: Remember = async () => {},
): Promise<RequestedApproval> {
  const { amountOf, keep = (given) => given, make } = kindOf(kind);
  await rehearse(db, (tx) => make(tx, actor, payload));
  return db.transaction(async (tx) => {
    const current = await readActor(tx, actor, actor.program.id);
    const { id: programId, currency } = current.program;
    const nowMs = current.realNow();
    const approval: Approval = {
      programId,
      id: newId(nowMs),
      kind,
      payload: keep(payload),
      cardId: (payload['cardId'] as string | undefined) ?? null,
      amountMinor: amountOf(payload, currency),
      status: 'PENDING',
      requestedBy: operatorIdOf(actor),
      requestedAt: new Date(nowMs),
      expiresAt: new Date(nowMs + APPROVAL_LIFE_MS),
      decidedBy: null,
      decidedAt: null,
      reason: null,
      movementId: null,
    };
    const answer = { approvalId: approval.id, expires: formatTimestamp(approval.expiresAt) };
    await insertApproval(tx, approval);
    await audit(tx, current, 'approval.requested', auditView(approval, currency));
    await remember(tx, answer);
    return answer;
  });
}
