import { audit } from '../audit/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { EmbossError } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { countInWindows } from '../kernel/window-counts.ts';
import { type Actor, actorOf } from '../programs/actor.ts';

/**
 * Limits the audit entries per minute of one key or operator, so that a flood of refusals does not become a flood of
 * writes. The request metrics count every refusal by route and status.
 */
const MOST_ENTRIES = 3;
const WINDOW_MS = 60_000;
const MOST_ACTORS = 10_000;

interface RefusedRequest {
  params: unknown;
  getDecorator: <T>(name: string) => T;
}

interface LimitedSession {
  createdBy: string;
  cardId: string;
  revealSessionId: string;
  reason: string;
}

/** Audits refused reveals with their cause. */
export function createRefusedRevealAudit(db: Database, onError: (error: unknown) => void) {
  const counts = countInWindows(WINDOW_MS, MOST_ACTORS);
  const isAudited = (actorId: string) => counts.add(actorId, performance.now()) <= MOST_ENTRIES;

  /** The error hook of every route with a key or an operator that reveals a card number. */
  async function auditRefusedReveal(request: RefusedRequest, _reply: unknown, error: Error): Promise<void> {
    const actor = actorOf(request) as Actor | null;
    const cause = actor && causeOf(actor, error);
    if (!cause || !isAudited(actor.id)) return;
    const { cardId } = request.params as { cardId: string };
    await db
      .transaction((tx) =>
        audit(tx, actor, 'card.reveal_refused', {
          cardId: isId(cardId) ? cardId : null,
          after: { cause, reason: error.message },
        }),
      )
      // If the entry cannot be written, the client still gets the refusal.
      .catch(onError);
  }

  /** For the reveal page, which has no key: the entry counts for the key that created the session. */
  async function auditLimitedSession(tx: Tx, actor: Actor, session: LimitedSession): Promise<void> {
    const { createdBy, cardId, revealSessionId, reason } = session;
    if (!isAudited(createdBy)) return;
    await audit(tx, actor, 'card.reveal_refused', {
      cardId,
      after: { cause: 'limit', reason, revealSessionId },
    });
  }
  return { auditRefusedReveal, auditLimitedSession };
}
type RefusedRevealAudit = ReturnType<typeof createRefusedRevealAudit>;
export type AuditRefusedReveal = RefusedRevealAudit['auditRefusedReveal'];
export type AuditLimitedSession = RefusedRevealAudit['auditLimitedSession'];

/** Undefined for errors that are not refusals, such as an unknown card or a server error. */
function causeOf({ id }: Actor, error: Error): 'scope' | 'role' | 'limit' | 'reason' | undefined {
  if (!(error instanceof EmbossError)) return undefined;
  const isOperator = id.startsWith('operator:');
  if (error.httpStatus === 403) return isOperator ? 'role' : 'scope';
  if (error.httpStatus === 429) return 'limit';
  return isOperator && error.httpStatus === 400 ? 'reason' : undefined;
}
