import type { CardFacts } from '../../cards/card-facts.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import type { RefundRequest } from './message.ts';
import { interchangeTransfer } from './movements.ts';
import { fillOrigin, newTransaction } from './new-transaction.ts';
import { interchangeOf, type Presentment } from './presentment.ts';
import { type RefundResponse, respond } from './response.ts';
import { settleRefund } from './settle.ts';
import { type TransactionRecord, WITHOUT_FEES } from './transaction.ts';

/**
 * A refund is a transaction of its own, with the purchase as its parent where the purchase is known. The program gives
 * back the interchange on it.
 */
export function applyRefund(
  request: RefundRequest,
  { card, parent }: { card: CardFacts; parent: TransactionRecord | undefined },
  setting: Setting,
): Effects<RefundResponse> {
  const { billAmountMinor, amountMinor, currency, messageId } = request;
  const { program } = setting;
  const transaction = newTransaction(request, card, setting, {
    kind: 'refund',
    externalTransactionId: messageId,
    status: 'CLEARED',
    parentId: parent?.id ?? null,
    authorizationMode: parent?.authorizationMode ?? program.authorizationMode,
    ...fillOrigin(parent ?? { channel: null, acceptor: null }, request),
    fxFeeBps: 0,
    clearedMinor: billAmountMinor,
    final: true,
    clearedAmountMinor: amountMinor,
    clearedCurrency: currency,
  });
  const presentment: Presentment = {
    kind: 'refund',
    messageId,
    transactionId: transaction.id,
    cardId: card.cardId,
    amountMinor,
    currency,
    billMinor: billAmountMinor,
    reversedMinor: 0n,
    interchangeBps: program.interchangeBps,
    countedOn: setting.today,
  };
  const event = newEvent('refund', setting, transaction, request, WITHOUT_FEES);
  const refund = settleRefund(event.id, card, transaction, billAmountMinor);
  return {
    response: {
      ...respond(transaction, billAmountMinor),
      externalTransactionId: parent?.externalTransactionId ?? null,
      parentTransactionId: transaction.parentId,
    },
    card: refund.card,
    transaction,
    presentment,
    event,
    transfers: [...refund.transfers, interchangeTransfer(event.id, -interchangeOf(presentment))],
  };
}
