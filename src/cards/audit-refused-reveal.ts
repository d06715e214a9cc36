import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../db/database.ts';
import { EmbossError } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { countInWindows } from '../kernel/window-counts.ts';
import { type Caller, callerNow } from '../programs/program.ts';

/**
 * In a minute, of one key or operator. A flood of refusals must not become a flood of writes; the request metrics count
 * all of them by route and status.
 */
const MOST_ENTRIES = 3;
const WINDOW_MS = 60_000;
const MOST_ACTORS = 10_000;

interface RefusedRequest {
  id: string;
  params: unknown;
  getDecorator: <T>(name: string) => T;
}

/** For the error hook of every route that reveals a number: writes that it was not shown, and why. */
export function createRefusedRevealAudit(db: Database, onError: (error: unknown) => void) {
  const counts = countInWindows(WINDOW_MS, MOST_ACTORS);
  return async (request: RefusedRequest, _reply: unknown, error: Error): Promise<void> => {
    const caller = request.getDecorator<Caller | null>('caller');
    const cause = caller && causeOf(caller, error);
    if (!cause || counts.add(caller.actor, performance.now()) > MOST_ENTRIES) return;
    const { cardId } = request.params as { cardId: string };
    await db
      .transaction((tx) =>
        recordAudit(tx, {
          programId: caller.program.id,
          actor: caller.actor,
          address: caller.address,
          action: 'card.reveal_refused',
          cardId: isId(cardId) ? cardId : null,
          before: null,
          after: { cause, reason: error.message },
          requestId: request.id,
          nowMs: callerNow(caller),
        }),
      )
      // The refusal stands, whether or not it could be written down.
      .catch(onError);
  };
}
export type AuditRefusedReveal = ReturnType<typeof createRefusedRevealAudit>;

/** Undefined for what is no refusal: an unknown card, a failure of ours. */
function causeOf({ actorId }: Caller, error: Error): 'scope' | 'role' | 'limit' | 'reason' | undefined {
  if (!(error instanceof EmbossError)) return undefined;
  const isOperator = actorId !== undefined;
  if (error.httpStatus === 403) return isOperator ? 'role' : 'scope';
  if (error.httpStatus === 429) return 'limit';
  return isOperator && error.httpStatus === 400 ? 'reason' : undefined;
}
