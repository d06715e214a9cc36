import type { CardFacts } from '../../cards/card-facts.ts';
import { formatAmount } from '../../kernel/money.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import type { RefundRequest, RefundResponse } from './message.ts';
import { refundTransfers } from './movements.ts';
import { newTransaction } from './new-transaction.ts';
import { type TransactionRecord, WITHOUT_FEES } from './transaction.ts';

/** A refund is a transaction of its own, with the purchase as its parent where the purchase is known. */
export function applyRefund(
  request: RefundRequest,
  { card, parent }: { card: CardFacts; parent: TransactionRecord | undefined },
  setting: Setting,
): Effects<RefundResponse> {
  const { billAmountMinor } = request;
  const { currency } = setting.program;
  const transaction = newTransaction(request, card, setting, {
    kind: 'refund',
    externalTransactionId: request.messageId,
    status: 'CLEARED',
    parentId: parent?.id ?? null,
    channel: parent?.channel ?? null,
    merchant: parent?.merchant ?? null,
    clearedMinor: billAmountMinor,
    final: true,
    clearedAmountMinor: request.amountMinor,
    clearedCurrency: request.currency,
  });
  const event = newEvent('refund', setting, transaction, request, WITHOUT_FEES);
  return {
    response: {
      refund_id: request.messageId,
      transaction_id: transaction.id,
      parent_transaction_id: transaction.parentId,
      external_transaction_id: parent?.externalTransactionId ?? namedPurchase(request),
      status: transaction.status,
      bill_amount: formatAmount(billAmountMinor, currency),
      bill_currency: currency,
    },
    card: { ...card, availableMinor: card.availableMinor + billAmountMinor },
    transaction,
    event,
    transfers: refundTransfers(event.id, card.cardId, billAmountMinor),
  };
}

/** The id of an unknown purchase that the message names. */
const namedPurchase = ({ purchase }: RefundRequest): string | null =>
  purchase && 'externalTransactionId' in purchase ? purchase.externalTransactionId : null;
