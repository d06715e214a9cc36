import type { Database, Tx } from '../db/database.ts';
import { recordEvent } from '../events/journal.ts';
import type { EventName } from '../events/names.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { programNow } from '../programs/program.ts';
import { lockProgram, readProgram } from '../programs/queries.ts';
import type { Change } from './breaker.ts';
import { type DecisionEndpoint, type DecisionKind, type StandInReason, shownOnFailure } from './decision.ts';
import { findDecisionEndpoint, updateStandIn } from './queries.ts';

type StandIn = Pick<DecisionEndpoint, 'standInSince' | 'standInReason'>;

/** Begins or ends a stand-in with its events. The caller stores the result, and holds the program's lock. */
export function changeStandIn(
  tx: Tx,
  before: Pick<DecisionEndpoint, 'programId' | 'kind' | 'onFailure'> & StandIn,
  reason: StandInReason | null,
  nowMs: number,
  onFailure = before.onFailure,
): StandIn {
  const { programId, kind, standInSince, standInReason } = before;
  if (reason === standInReason) return { standInSince, standInReason };
  const now = new Date(nowMs);
  const record = (eventName: EventName<'decision'>, data: Record<string, unknown>) =>
    recordEvent(tx, {
      programId,
      eventType: 'decision',
      eventName,
      data: { kind, ...data },
      nowMs,
    });
  if (standInReason !== null)
    record('decision.stand_in_ended', {
      reason: standInReason,
      since: formatTimestamp(standInSince ?? now),
      until: formatTimestamp(now),
      on_failure: shownOnFailure(kind, before.onFailure),
    });
  if (reason !== null)
    record('decision.stand_in_started', {
      reason,
      since: formatTimestamp(now),
      on_failure: shownOnFailure(kind, onFailure),
    });
  return { standInSince: reason === null ? null : now, standInReason: reason };
}

/** Records a change of one process's breaker. The breakers of others change too: true for the first, which records it. */
export const recordBreaker = (
  db: Database,
  programId: string,
  kind: DecisionKind,
  change: Change,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    await lockProgram(tx, programId);
    const [endpoint, found] = await Promise.all([
      findDecisionEndpoint(tx, programId, kind),
      readProgram(tx, programId),
    ]);
    const [from, to] = change === 'opened' ? ([null, 'failing'] as const) : (['failing', null] as const);
    if (!endpoint || endpoint.standInReason !== from) return false;
    const after = changeStandIn(tx, endpoint, to, programNow(found.program, found.realNowMs));
    updateStandIn(tx, endpoint, after.standInSince, after.standInReason);
    return true;
  });
