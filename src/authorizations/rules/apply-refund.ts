import { newId } from '../../kernel/ids.ts';
import { formatAmount } from '../../kernel/money.ts';
import type { CardFacts } from './card-facts.ts';
import type { Outcome, Setting } from './effects.ts';
import type { RefundAnswer, RefundRequest } from './message.ts';
import { refundTransfers } from './movements.ts';
import { eventView, type TransactionRecord, WITHOUT_FEES } from './transaction.ts';

/** Money comes back: a transaction of its own, with the purchase as its parent where that is known. */
export function applyRefund(
  request: RefundRequest,
  facts: { card: CardFacts; parent: TransactionRecord | undefined },
  { program, nowMs }: Setting,
): Outcome<RefundAnswer> {
  const { card, parent } = facts;
  const { billAmountMinor } = request;
  const transaction: TransactionRecord = {
    id: newId(nowMs),
    cardId: card.cardId,
    credentialId: card.credentialId,
    kind: 'refund',
    parentId: parent?.id ?? null,
    externalTransactionId: request.messageId,
    status: 'CLEARED',
    amountMinor: request.amountMinor,
    currency: request.currency,
    billAmountMinor,
    billCurrency: program.currency,
    channel: parent?.channel ?? null,
    merchant: parent?.merchant ?? null,
    declineReason: null,
    networkCode: null,
    approvalCode: null,
    fxFeeBps: 0,
    atmFeeMinor: 0n,
    heldMinor: 0n,
    clearedMinor: billAmountMinor,
    reversedMinor: 0n,
    final: true,
    clearedAmountMinor: request.amountMinor,
    clearedCurrency: request.currency,
    createdAt: new Date(nowMs),
    approvedAt: null,
  };
  const data = eventView(transaction, request, WITHOUT_FEES);
  const event = { id: newId(nowMs), name: 'refund' as const, data };
  return {
    answer: {
      refund_id: request.messageId,
      transaction_id: transaction.id,
      parent_transaction_id: transaction.parentId,
      external_transaction_id: parent?.externalTransactionId ?? namedPurchase(request),
      status: transaction.status,
      bill_amount: formatAmount(billAmountMinor, program.currency),
      bill_currency: program.currency,
    },
    card: { ...card, availableMinor: card.availableMinor + billAmountMinor },
    transaction,
    event,
    transfers: refundTransfers(event.id, card.cardId, billAmountMinor),
  };
}

/** The purchase that the message named and that nobody knows. */
const namedPurchase = ({ purchase }: RefundRequest): string | null =>
  purchase && 'externalTransactionId' in purchase ? purchase.externalTransactionId : null;
