import type { CardFacts } from '../../cards/card-facts.ts';
import { withNewer } from '../../cards/network-data.ts';
import { clearedAmount, presented } from './apply-clearing.ts';
import { type Effects, newEvent, type Setting, type TransactionEvent } from './effects.ts';
import type { RefundRequest } from './message.ts';
import { interchangeTransfer } from './movements.ts';
import { fillOrigin, interchangeBpsOf, newTransaction } from './new-transaction.ts';
import { interchangeOf, type Presentment } from './presentment.ts';
import { type RefundResponse, respond } from './response.ts';
import { settleRefund } from './settle.ts';
import { NOT_DECLINED, type TransactionRecord, WITHOUT_FEES } from './transaction.ts';

interface RefundedFacts {
  card: CardFacts;
  /** The purchase, or the credit that announced the refund. */
  named: TransactionRecord | undefined;
}

/**
 * A refund is a transaction of its own, with the purchase as its parent where the purchase is known, unless a credit has
 * announced it: then its money moves in that one. The program gives back the interchange on it.
 */
export function applyRefund(
  request: RefundRequest,
  { card, named }: RefundedFacts,
  setting: Setting,
): Effects<RefundResponse> {
  const { billAmountMinor } = request;
  const { program } = setting;
  const isAnnounced = named?.kind === 'refund';
  const transaction = isAnnounced ? withRefund(named, request) : newRefund(request, card, named, setting);
  const presentment: Presentment = {
    ...presented(request),
    kind: 'refund',
    transactionId: transaction.id,
    cardId: card.cardId,
    interchangeBps: interchangeBpsOf(program, isAnnounced || !named ? transaction : named),
    countedOn: setting.today,
  };
  const event = newEvent('refund', setting, transaction, request, WITHOUT_FEES);
  const refund = settleRefund(event.id, card, transaction, billAmountMinor);
  return {
    response: {
      ...respond(transaction, billAmountMinor),
      externalTransactionId: named ? namedBy(request, named) : null,
      parentTransactionId: transaction.parentId,
    },
    card: refund.card,
    transaction,
    presentment,
    event,
    transfers: [...refund.transfers, interchangeTransfer(event.id, interchangeOf(presentment))],
  };
}

/** A credit that came after its refund is known by two ids. */
const namedBy = ({ purchase }: RefundRequest, { externalTransactionId }: TransactionRecord): string =>
  purchase && 'externalTransactionId' in purchase ? purchase.externalTransactionId : externalTransactionId;

const newRefund = (
  request: RefundRequest,
  card: CardFacts,
  parent: TransactionRecord | undefined,
  setting: Setting,
): TransactionRecord =>
  newTransaction(request, card, setting, {
    kind: 'refund',
    externalTransactionId: request.messageId,
    status: 'CLEARED',
    parentId: parent?.id ?? null,
    authorizationMode: parent?.authorizationMode ?? setting.program.authorizationMode,
    ...fillOrigin(parent ?? { channel: null, acceptor: null }, request),
    fxFeeBps: 0,
    network: request.network,
    clearedMinor: request.billAmountMinor,
    final: true,
    clearedAmountMinor: request.amountMinor,
    clearedCurrency: request.currency,
  });

/** A credit, with the money of the refund that it announced. */
const withRefund = (credit: TransactionRecord, request: RefundRequest): TransactionRecord => ({
  ...credit,
  ...fillOrigin(credit, request),
  ...clearedAmount(credit, request),
  network: withNewer(credit.network, request.network),
  status: 'CLEARED',
  ...(credit.status === 'DECLINED' && NOT_DECLINED),
  clearedMinor: credit.clearedMinor + request.billAmountMinor,
  final: true,
});

/** How long a refund waits for the purchase that it names. */
export const REFUND_BEFORE_DAYS = 31;

/** A refund that came before the purchase that it names. */
export function linkRefund(
  refund: TransactionRecord,
  purchase: TransactionRecord,
  setting: Setting,
): { transaction: TransactionRecord; event: TransactionEvent } {
  const transaction = { ...refund, parentId: purchase.id };
  const nothing = {
    messageId: purchase.externalTransactionId,
    amountMinor: 0n,
    currency: refund.currency,
    billAmountMinor: 0n,
  };
  const more = { changed: ['parent_transaction_id'] };
  return {
    transaction,
    event: newEvent('transaction.updated', setting, transaction, nothing, WITHOUT_FEES, more),
  };
}
