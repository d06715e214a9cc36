import { audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
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

/** The error hook of every route that reveals a card number. It audits refused reveals with their cause. */
export function createRefusedRevealAudit(db: Database, onError: (error: unknown) => void) {
  const counts = countInWindows(WINDOW_MS, MOST_ACTORS);
  return async (request: RefusedRequest, _reply: unknown, error: Error): Promise<void> => {
    const actor = actorOf(request) as Actor | null;
    const cause = actor && causeOf(actor, error);
    if (!cause || counts.add(actor.id, performance.now()) > MOST_ENTRIES) return;
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
  };
}
export type AuditRefusedReveal = ReturnType<typeof createRefusedRevealAudit>;

/** Undefined for errors that are not refusals, such as an unknown card or a server error. */
function causeOf({ id }: Actor, error: Error): 'scope' | 'role' | 'limit' | 'reason' | undefined {
  if (!(error instanceof EmbossError)) return undefined;
  const isOperator = id.startsWith('operator:');
  if (error.httpStatus === 403) return isOperator ? 'role' : 'scope';
  if (error.httpStatus === 429) return 'limit';
  return isOperator && error.httpStatus === 400 ? 'reason' : undefined;
}
