import type { Queryable, Tx } from '../db/database.ts';
import { parametersOf, valuesOf } from '../db/row.ts';
import type { DecisionEndpoint, DecisionKind, LastFailure, StandInReason } from './decision.ts';

const COLUMNS = `
  d.program_id, d.kind, d.url, d.timeout_ms, d.on_failure,
  d.stand_in_transaction_limit_minor as transaction_limit_minor, d.stand_in_daily_limit_minor as daily_limit_minor,
  d.paused, d.secret_id, d.previous_secret_id, d.previous_signs_until, d.stand_in_since, d.stand_in_reason,
  d.last_failure, d.created_at`;

type Row = Omit<DecisionEndpoint, 'standIn'> & {
  transactionLimitMinor: bigint | null;
  dailyLimitMinor: bigint | null;
};

function endpointOf(row: Row | undefined): DecisionEndpoint | undefined {
  if (!row) return undefined;
  const { transactionLimitMinor, dailyLimitMinor, ...endpoint } = row;
  const hasLimits = transactionLimitMinor !== null && dailyLimitMinor !== null;
  return { ...endpoint, standIn: hasLimits ? { transactionLimitMinor, dailyLimitMinor } : null };
}

export async function findDecisionEndpoint(
  db: Queryable,
  programId: string,
  kind: DecisionKind,
): Promise<DecisionEndpoint | undefined> {
  const rows = await db.query<Row>(
    {
      name: 'find_decision_endpoint',
      text: `select ${COLUMNS} from decision_endpoints d where d.program_id = $1 and d.kind = $2`,
    },
    [programId, kind],
  );
  return endpointOf(rows[0]);
}

/** Endpoints in whose place Emboss decides because they fail: of all programs, or of the given one. */
export const listFailingDecisionEndpoints = (
  db: Queryable,
  programId?: string,
): Promise<Array<Pick<DecisionEndpoint, 'programId' | 'kind' | 'url' | 'lastFailure'>>> =>
  db.query(
    {
      name: `list_failing_decision_endpoints${programId ? '_of_one' : ''}`,
      text: `select d.program_id, d.kind, d.url, d.last_failure from decision_endpoints d
             where ${programId ? 'd.program_id = $1 and' : ''} d.stand_in_reason = 'failing'`,
    },
    programId ? [programId] : [],
  );

const REPLACED = `url, timeout_ms, on_failure, stand_in_transaction_limit_minor, stand_in_daily_limit_minor, paused, secret_id,
  previous_secret_id, previous_signs_until, stand_in_since, stand_in_reason, last_failure`;
const SAVED = `program_id, kind, ${REPLACED}, created_at` as const;

/** Inserts the endpoint, or replaces everything but its time of creation. */
export async function saveDecisionEndpoint(tx: Tx, endpoint: DecisionEndpoint): Promise<void> {
  await tx.query(
    `insert into decision_endpoints (${SAVED}) values (${parametersOf(SAVED)})
     on conflict (program_id, kind) do update set (${REPLACED}) = (${parametersOf(REPLACED, 3)})`,
    valuesOf(SAVED, {
      ...endpoint,
      standInTransactionLimitMinor: endpoint.standIn?.transactionLimitMinor ?? null,
      standInDailyLimitMinor: endpoint.standIn?.dailyLimitMinor ?? null,
    }),
  );
}

export async function deleteDecisionEndpoint(tx: Tx, programId: string, kind: DecisionKind): Promise<void> {
  await tx.query('delete from decision_endpoints where program_id = $1 and kind = $2', [programId, kind]);
}

/** Records since when no decision is requested; null: decisions are requested again. */
export function updateStandIn(
  tx: Tx,
  { programId, kind }: Pick<DecisionEndpoint, 'programId' | 'kind'>,
  since: Date | null,
  reason: StandInReason | null,
): void {
  tx.send(
    'update decision_endpoints set stand_in_since = $3, stand_in_reason = $4 where program_id = $1 and kind = $2',
    [programId, kind, since, reason],
  );
}

/** Unless the endpoint has another URL by now. */
export async function updateLastFailure(
  db: Queryable,
  { programId, kind, url }: Pick<DecisionEndpoint, 'programId' | 'kind' | 'url'>,
  failure: LastFailure,
): Promise<void> {
  await db.query(
    'update decision_endpoints set last_failure = $4 where program_id = $1 and kind = $2 and url = $3',
    [programId, kind, url, failure],
  );
}
