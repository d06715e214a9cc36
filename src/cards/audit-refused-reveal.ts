import { audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
import { EmbossError } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { countInWindows } from '../kernel/window-counts.ts';
import { type Actor, actorOf } from '../programs/actor.ts';

/**
 * In a minute, of one key or operator. A flood of refusals must not become a flood of writes; the request metrics count
 * all of them by route and status.
 */
const MOST_ENTRIES = 3;
const WINDOW_MS = 60_000;
const MOST_ACTORS = 10_000;

interface RefusedRequest {
  params: unknown;
  getDecorator: <T>(name: string) => T;
}

/** For the error hook of every route that reveals a number: writes that it was not shown, and why. */
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
      // A refusal stays a refusal if its entry cannot be written.
      .catch(onError);
  };
}
export type AuditRefusedReveal = ReturnType<typeof createRefusedRevealAudit>;

/** Undefined for what is no refusal: an unknown card, a failure of ours. */
function causeOf({ id }: Actor, error: Error): 'scope' | 'role' | 'limit' | 'reason' | undefined {
  if (!(error instanceof EmbossError)) return undefined;
  const isOperator = id.startsWith('operator:');
  if (error.httpStatus === 403) return isOperator ? 'role' : 'scope';
  if (error.httpStatus === 429) return 'limit';
  return isOperator && error.httpStatus === 400 ? 'reason' : undefined;
}
