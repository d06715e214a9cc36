import { formatAmount } from '../kernel/money.ts';
import type { Approval } from './approval.ts';

/** What the audit entries of an approval say about it. */
export const auditView = (
  { id, kind, cardId, amountMinor, payload, reason }: Approval,
  currency: string,
) => ({
  cardId,
  after: {
    approvalId: id,
    kind,
    ...(amountMinor === null ? payload : { amount: formatAmount(amountMinor, currency) }),
    ...(reason !== null && { reason }),
  },
});
