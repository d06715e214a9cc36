import { findLastFoursOfCards } from '../cards/queries.ts';
import type { Queryable } from '../db/database.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { formatAmount, readAmount } from '../kernel/money.ts';
import type { Operator } from '../operators/operator.ts';
import { findOperators } from '../operators/queries.ts';
import { isAtLeast, type Role } from '../programs/access.ts';
import type { Actor } from '../programs/actor.ts';
import { APPROVAL_KINDS, type Approval, type ApprovalKind, statusOf } from './approval.ts';
import { kindOf } from './kinds.ts';

/** The kinds that a role may decide. */
export const decidedBy = (role: Role): ApprovalKind[] =>
  APPROVAL_KINDS.filter((kind) => isAtLeast(role, kindOf(kind).role));

/** Amounts are decimal text, as the current values are; rates are basis points. */
function textOf(field: string, value: unknown, currency: string): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const isAmount = typeof value === 'number' && !field.endsWith('Bps');
  return isAmount ? formatAmount(readAmount(field, value, currency), currency) : String(value);
}

/** Approvals with the names of the people and the cards, as one operator sees them. */
export async function presentApprovals(
  db: Queryable,
  { program, realNow }: Actor,
  viewer: Pick<Operator, 'id' | 'role'>,
  approvals: readonly Approval[],
) {
  const people = approvals.flatMap(({ requestedBy, decidedBy: by }) =>
    by ? [requestedBy, by] : [requestedBy],
  );
  const cardIds = approvals.flatMap(({ cardId }) => cardId ?? []);
  const [operators, lastFours] = await Promise.all([
    findOperators(db, [...new Set(people)]),
    findLastFoursOfCards(db, program.id, [...new Set(cardIds)]),
  ]);
  const names = new Map(operators.map(({ id, name }) => [id, name]));
  const person = (id: string) => ({ id, name: names.get(id) ?? id });
  const nowMs = realNow();
  return approvals.map((approval) => {
    const { id, kind, payload, cardId, amountMinor, requestedBy, decidedAt } = approval;
    const { cardId: _, amount: __, ...facts } = payload;
    const status = statusOf(approval, nowMs);
    const current = status === 'PENDING' ? kindOf(kind).current?.(program) : undefined;
    const isOwn = requestedBy === viewer.id;
    const isOpen = status === 'PENDING' && isAtLeast(viewer.role, kindOf(kind).role);
    return {
      ...{ id, kind, status, cardId },
      lastFour: (cardId && lastFours.get(cardId)) ?? null,
      amount: amountMinor === null ? null : formatAmount(amountMinor, program.currency),
      facts: Object.entries(facts).map(([field, value]) => ({
        field,
        before: current?.[field] ?? null,
        value: textOf(field, value, program.currency),
      })),
      requestedBy: person(requestedBy),
      requested: formatTimestamp(approval.requestedAt),
      expires: formatTimestamp(approval.expiresAt),
      decidedBy: approval.decidedBy === null ? null : person(approval.decidedBy),
      decided: decidedAt && formatTimestamp(decidedAt),
      reason: approval.reason,
      mayDecide: isOpen && !isOwn,
      mayWithdraw: isOpen && isOwn,
    };
  });
}
