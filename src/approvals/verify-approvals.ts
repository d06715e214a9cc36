import type { Database, Tx } from '../db/database.ts';
import { LOWEST_ID } from '../kernel/ids.ts';
import { findTransfers } from '../ledger/queries.ts';
import { APPROVAL_KINDS, type Approval } from './approval.ts';
import { kindOf } from './kinds.ts';
import { listMoved } from './queries.ts';

const APPROVALS_AT_ONCE = 1_000;
const MOVING = APPROVAL_KINDS.filter((kind) => kindOf(kind).moves);

/** The first approval whose amount differs from what the ledger moved for it. */
export interface ApprovalsDifference {
  what: 'approved amount';
  account: string;
  accountId: null;
  day: null;
  expectedMinor: bigint;
  /** Null: there is no transfer. */
  keptMinor: bigint | null;
}

export interface ApprovalsReport {
  /** Approvals that moved money. */
  approvals: number;
  difference: ApprovalsDifference | undefined;
}

/** Checks that each approved movement of money has exactly one transfer, of its amount, and that others have none. */
export const verifyApprovals = (db: Database, programId: string): Promise<ApprovalsReport> =>
  db.snapshot(async (tx) => {
    let approvals = 0;
    for (let aboveId = LOWEST_ID; ; ) {
      const page = await listMoved(tx, programId, MOVING, aboveId, APPROVALS_AT_ONCE);
      const difference = await compare(tx, programId, page);
      approvals += page.length;
      const last = page.at(-1);
      if (difference || !last || page.length < APPROVALS_AT_ONCE) return { approvals, difference };
      aboveId = last.id;
    }
  });

async function compare(
  tx: Tx,
  programId: string,
  page: readonly Approval[],
): Promise<ApprovalsDifference | undefined> {
  const transfers = await findTransfers(
    tx,
    programId,
    page.flatMap(({ movementId }) => movementId ?? []),
  );
  for (const { id, kind, status, amountMinor, movementId } of page) {
    const isDue = status === 'APPROVED' && kindOf(kind).moves;
    const expectedMinor = isDue ? sizeOf(amountMinor ?? 0n) : 0n;
    const own = transfers.filter((transfer) => transfer.movementId === movementId);
    const keptMinor = own.length === 0 ? null : own.reduce((sum, each) => sum + each.amountMinor, 0n);
    if (own.length !== 1 || keptMinor !== expectedMinor)
      return { what: 'approved amount', account: id, accountId: null, day: null, expectedMinor, keptMinor };
  }
  return undefined;
}

const sizeOf = (minor: bigint): bigint => (minor < 0n ? -minor : minor);
