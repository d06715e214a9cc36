import { audit } from '../audit/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError, notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { findEntitled } from '../operators/find-entitled.ts';
import { actorName } from '../operators/operator.ts';
import { type Actor, createActor, lockFor, operatorIdOf } from '../programs/actor.ts';
import { type Approval, type Decision, isDecided, outcomeOf } from './approval.ts';
import { auditView } from './audit-view.ts';
import { kindOf } from './kinds.ts';
import { findApproval, lockApproval, updateDecision } from './queries.ts';

export interface DecisionServices {
  db: Database;
  digest: Digest;
  onError: (error: unknown) => void;
}

interface Given {
  id: string;
  decision: Decision;
  reason: string | null;
}

const ACTIONS = {
  APPROVED: 'approval.approved',
  REJECTED: 'approval.rejected',
  WITHDRAWN: 'approval.withdrawn',
  FAILED: 'approval.failed',
} as const;

/** Decides a request, once. Approving makes the change in the same transaction, so that neither exists without the other. */
export async function decideApproval(
  services: DecisionServices,
  actor: Actor,
  given: Given,
): Promise<Approval> {
  let refused: EmbossError | undefined;
  await services.digest.refresh();
  try {
    return await decide(services, actor, given, async (tx, approval, current) => {
      if (given.decision === 'reject') return { movementId: null };
      const movementId = await makeChange(services, tx, approval, current).catch((error) => {
        // Another failure, such as that of the database, decides nothing: the request stays pending.
        if (error instanceof EmbossError && error.httpStatus < 500) refused = error;
        throw error;
      });
      return { movementId };
    });
  } catch (error) {
    if (error !== refused) throw error;
    const reason = refused?.message ?? null;
    return decide(services, actor, given, async () => ({ status: 'FAILED', reason }));
  }
}

/** Refuses what the decision itself would refuse. Call it before a code of the second factor is used up. */
export async function checkDecision(
  { db }: Pick<DecisionServices, 'db'>,
  actor: Actor,
  { id, decision }: Pick<Given, 'id' | 'decision'>,
): Promise<void> {
  const approval = isId(id) ? await findApproval(db, actor.program.id, id) : undefined;
  if (!approval) throw notFound();
  isDecided(approval, operatorIdOf(actor), decision, actor.realNow());
}

/** Locks the request, lets `work` act on it, and stores the decision. */
const decide = (
  services: DecisionServices,
  actor: Actor,
  { id, decision, reason }: Given,
  work: (tx: Tx, approval: Approval, current: Actor) => Promise<Partial<Approval>>,
): Promise<Approval> => {
  const programId = actor.program.id;
  if (!isId(id)) throw notFound();
  return services.db.transaction(async (tx) => {
    const [approval, current] = await lockFor(tx, actor, lockApproval(tx, programId, id));
    const operatorId = operatorIdOf(actor);
    const { role } = kindOf(approval.kind);
    // A change of role takes effect immediately, also for who waited for the lock.
    if (!(await findEntitled(tx, services, operatorId, programId, role)))
      throw new EmbossError(403, `Requires the role ${role}`);
    if (isDecided(approval, operatorId, decision, current.realNow())) return approval;
    const decided: Approval = {
      ...approval,
      status: outcomeOf(approval, operatorId, decision),
      reason,
      decidedBy: operatorId,
      decidedAt: new Date(current.realNow()),
      ...(await work(tx, approval, current)),
    };
    await updateDecision(tx, decided);
    const action = ACTIONS[decided.status as keyof typeof ACTIONS];
    await audit(tx, current, action, auditView(decided, current.program.currency));
    return decided;
  });
};

/** Acts as the operator who requested the change, by the rules of this moment. Every audit entry names both people. */
async function makeChange(
  services: DecisionServices,
  tx: Tx,
  { kind, payload, requestedBy }: Approval,
  second: Actor,
): Promise<string | null> {
  const { role, make } = kindOf(kind);
  const first = await findEntitled(tx, services, requestedBy, second.program.id, role);
  if (!first) throw new EmbossError(403, `The operator who requested this no longer has the role ${role}`);
  const who = {
    name: actorName(first),
    id: `operator:${first.id}`,
    address: null,
    requestId: second.requestId,
    approvedBy: second.name,
  };
  return make(tx, createActor(who, second.program, second.realNow), payload);
}
