import { MS_PER_DAY } from '../kernel/calendar.ts';
import { EmbossError } from '../kernel/error.ts';

export const APPROVAL_KINDS = ['adjustment', 'deposit', 'withdrawal', 'fees', 'second_person'] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

export const APPROVAL_STATUSES = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'WITHDRAWN',
  'FAILED',
  'EXPIRED',
] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export type Decision = 'approve' | 'reject';

/** A request as it is stored. All times are real times. */
export interface Approval {
  programId: string;
  id: string;
  kind: ApprovalKind;
  payload: Record<string, unknown>;
  cardId: string | null;
  /** Negative: money is taken away. Null: the change has no amount. */
  amountMinor: bigint | null;
  status: Exclude<ApprovalStatus, 'EXPIRED'>;
  requestedBy: string;
  requestedAt: Date;
  expiresAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
  reason: string | null;
  movementId: string | null;
}

export const APPROVAL_LIFE_MS = 3 * MS_PER_DAY;

export const statusOf = (
  { status, expiresAt }: Pick<Approval, 'status' | 'expiresAt'>,
  nowMs: number,
): ApprovalStatus => (status === 'PENDING' && expiresAt.getTime() <= nowMs ? 'EXPIRED' : status);

/** Turning the rule off, or raising its amount, would let one person do what needed two. */
export const weakens = (beforeMinor: bigint | null, afterMinor: bigint | null): boolean =>
  beforeMinor !== null && (afterMinor === null || afterMinor > beforeMinor);

/** The status that a decision leads to: the operator who requested the change withdraws it. */
export const outcomeOf = (
  { requestedBy }: Pick<Approval, 'requestedBy'>,
  operatorId: string,
  decision: Decision,
): 'APPROVED' | 'REJECTED' | 'WITHDRAWN' => {
  if (decision === 'approve') return 'APPROVED';
  return requestedBy === operatorId ? 'WITHDRAWN' : 'REJECTED';
};

/** True: the operator has decided so already, and the answer was lost. Throws if this operator cannot decide now. */
export function isDecided(
  approval: Approval,
  operatorId: string,
  decision: Decision,
  nowMs: number,
): boolean {
  const outcome = outcomeOf(approval, operatorId, decision);
  if (approval.status === outcome && approval.decidedBy === operatorId) return true;
  if (decision === 'approve' && approval.requestedBy === operatorId)
    throw new EmbossError(403, 'You requested this change: another operator must approve it');
  const status = statusOf(approval, nowMs);
  if (status !== 'PENDING') throw new EmbossError(409, `The request is no longer pending: it is ${status}`);
  return false;
}
