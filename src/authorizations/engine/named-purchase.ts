import { EmbossError, notFound } from '../../kernel/error.ts';
import type { PurchaseReference } from '../core/message.ts';
import type { TransactionRecord } from '../core/transaction.ts';
import { type BatchState, keyOf, setRecord } from './batch-state.ts';

/** The network's id of an unknown purchase. Under our own id it is an error. */
export function networkIdOf(purchase: PurchaseReference): string {
  if ('transactionId' in purchase) throw notFound();
  return purchase.externalTransactionId;
}

/** The purchase that a message names. If it is known and its card is not locked, it was created just now. */
export function purchaseOf(
  state: BatchState,
  purchase: PurchaseReference,
): TransactionRecord | 'retry' | undefined {
  const id =
    'transactionId' in purchase
      ? purchase.transactionId
      : state.messages.get(keyOf('transaction', purchase.externalTransactionId))?.transactionId;
  if (!id) return undefined;
  const transaction = state.transactions.get(id);
  if (!transaction) return 'transactionId' in purchase || state.missing.has(id) ? undefined : 'retry';
  if (transaction.kind === 'refund' && 'externalTransactionId' in purchase)
    throw new EmbossError(409, 'external_transaction_id: is the id of a refund');
  return state.cards.has(transaction.cardId) ? transaction : 'retry';
}

/** Creates the record of an authorization that has not arrived yet: the authorization will find what came first. */
export function reserveRecord(
  state: BatchState,
  externalTransactionId: string,
  transaction: TransactionRecord | undefined,
): void {
  const record = state.messages.get(keyOf('transaction', externalTransactionId));
  // The record of an archived purchase is not changed.
  if (record && (record.transactionId || !transaction)) return;
  setRecord(state, {
    kind: 'transaction',
    messageId: externalTransactionId,
    requestDigest: null,
    response: null,
    ...record,
    transactionId: transaction?.id ?? null,
    cardId: transaction?.cardId ?? null,
  });
}
