import type { Queryable, Tx } from '../db/database.ts';
import { parametersOf, valuesOf } from '../db/row.ts';
import type { Approval, ApprovalKind, ApprovalStatus } from './approval.ts';

const COLUMNS = `program_id, id, kind, payload, card_id, amount_minor, status, requested_by, requested_at, expires_at,
  decided_by, decided_at, reason, movement_id`;

export async function insertApproval(tx: Tx, approval: Approval): Promise<void> {
  await tx.query(
    { name: 'insert_approval', text: `insert into approvals (${COLUMNS}) values (${parametersOf(COLUMNS)})` },
    valuesOf(COLUMNS, approval),
  );
}

export async function findApproval(
  db: Queryable,
  programId: string,
  id: string,
): Promise<Approval | undefined> {
  const rows = await db.query<Approval>(
    { name: 'find_approval', text: `select ${COLUMNS} from approvals where program_id = $1 and id = $2` },
    [programId, id],
  );
  return rows[0];
}

export async function lockApproval(tx: Tx, programId: string, id: string): Promise<Approval | undefined> {
  const rows = await tx.query<Approval>(
    {
      name: 'lock_approval',
      locks: true,
      text: `select ${COLUMNS} from approvals where program_id = $1 and id = $2 for update`,
    },
    [programId, id],
  );
  return rows[0];
}

const DECIDED = 'status, decided_by, decided_at, reason, movement_id';

export async function updateDecision(tx: Tx, approval: Approval): Promise<void> {
  await tx.query(
    {
      name: 'update_approval',
      text: `update approvals set (${DECIDED}) = (${parametersOf(DECIDED, 3)}) where program_id = $1 and id = $2`,
    },
    [approval.programId, approval.id, ...valuesOf(DECIDED, approval)],
  );
}

/** Newest first, below an id. A `PENDING` one whose time is over counts as `EXPIRED`. Null: every status. */
export const listApprovals = (
  db: Queryable,
  programId: string,
  status: ApprovalStatus | null,
  belowId: string,
  limit: number,
): Promise<Approval[]> =>
  db.query<Approval>(
    {
      name: 'list_approvals',
      text: `select ${COLUMNS} from approvals
             where program_id = $1 and id < $3
               and ($2::text is null or status = case $2 when 'EXPIRED' then 'PENDING' else $2 end)
               and case $2 when 'PENDING' then expires_at > clock_timestamp()
                           when 'EXPIRED' then expires_at <= clock_timestamp() else true end
             order by id desc limit $4`,
    },
    [programId, status, belowId, limit],
  );

/** Pending requests of these kinds that other operators made, counted up to a limit. */
export async function countWaiting(
  db: Queryable,
  programId: string,
  operatorId: string,
  kinds: readonly ApprovalKind[],
  limit: number,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    {
      name: 'count_waiting_approvals',
      text: `select count(*)::int as count
             from (select from approvals
                   where program_id = $1 and status = 'PENDING' and expires_at > clock_timestamp()
                     and requested_by <> $2 and kind = any ($3::text[]) limit $4) waiting`,
    },
    [programId, operatorId, kinds, limit],
  );
  return rows[0]?.count ?? 0;
}

/** Approvals with a movement of money, and those that must have one, by id. */
export const listMoved = (
  db: Queryable,
  programId: string,
  kinds: readonly ApprovalKind[],
  aboveId: string,
  limit: number,
): Promise<Approval[]> =>
  db.query<Approval>(
    {
      name: 'list_moved_approvals',
      text: `select ${COLUMNS} from approvals
             where program_id = $1 and id > $3
               and (movement_id is not null or (status = 'APPROVED' and kind = any ($2::text[])))
             order by id limit $4`,
    },
    [programId, kinds, aboveId, limit],
  );
