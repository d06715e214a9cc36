import { listDeclinedHours } from '../authorizations/totals/spike-queries.ts';
import type { Queryable } from '../db/database.ts';
import type { LastFailure } from '../decisions/decision.ts';
import { listFailingDecisionEndpoints } from '../decisions/queries.ts';
import { listFailingEndpoints } from '../events/endpoint-queries.ts';
import { formatAmount } from '../kernel/money.ts';
import { programNow } from '../programs/program.ts';
import { listLowPrograms, readProgram } from '../programs/queries.ts';
import { isSpike } from './is-spike.ts';
import type { Condition, NotificationKind } from './notification.ts';

/** Finds the conditions of one kind: of all programs with one query, or of the given one. */
type Find = (db: Queryable, programId?: string) => Promise<Condition[]>;
/** Conditions that higher floors know. */
export type GivenFinders = Record<'report' | 'master_key', Find>;

const FAILING_FOR_MS = 300_000;
const SPIKE_WITHIN_MS = 2 * 3_600_000;
/** A path or a query of a URL may contain a secret. */
const hostOf = (url: string): string => new URL(url).host;

const lastOf = ({ outcome, statusCode, error }: LastFailure): string =>
  error ?? (statusCode === null ? outcome : `response ${statusCode}`);

const FINDERS: Record<Exclude<NotificationKind, keyof GivenFinders>, Find> = {
  webhook_endpoint: async (db, programId) =>
    (await listFailingEndpoints(db, FAILING_FOR_MS, programId)).map((endpoint) => ({
      programId: endpoint.programId,
      kind: 'webhook_endpoint',
      subject: endpoint.id,
      details: {
        host: hostOf(endpoint.url),
        status: endpoint.status,
        ...(endpoint.statusReason !== null && { reason: endpoint.statusReason }),
      },
    })),
  decision_endpoint: async (db, programId) =>
    (await listFailingDecisionEndpoints(db, programId)).map((endpoint) => ({
      programId: endpoint.programId,
      kind: 'decision_endpoint',
      subject: endpoint.kind,
      details: {
        host: hostOf(endpoint.url),
        ...(endpoint.lastFailure && { last: lastOf(endpoint.lastFailure) }),
      },
    })),
  master_balance: async (db, programId) =>
    (await listLowPrograms(db, programId)).map(({ id, currency, alertBelowMinor }) => ({
      programId: id,
      kind: 'master_balance',
      subject: '',
      details: { below: formatAmount(alertBelowMinor ?? 0n, currency), currency },
    })),
  declines: async (db, programId) => {
    const hours = (await listDeclinedHours(db, Date.now() - SPIKE_WITHIN_MS, programId)).filter(isSpike);
    const found = new Map<string, Condition>();
    for (const { programId: of, startsAt, ...counts } of hours) {
      // A sandbox may be ahead: its hours are in program time. It lasts until the hour after has ended too.
      const { program, realNowMs } = await readProgram(db, of);
      if (startsAt.getTime() + SPIKE_WITHIN_MS > programNow(program, realNowMs))
        found.set(of, { programId: of, kind: 'declines', subject: '', details: counts });
    }
    return [...found.values()];
  },
};

/** Everything that needs attention now: in all programs, or in the given one. */
export async function findConditions(
  db: Queryable,
  given: GivenFinders,
  programId?: string,
): Promise<Condition[]> {
  const found = await Promise.all(Object.values({ ...FINDERS, ...given }).map((find) => find(db, programId)));
  return found.flat();
}
