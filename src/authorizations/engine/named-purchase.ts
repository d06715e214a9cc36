import { EmbossError, notFound } from '../../kernel/error.ts';
import type { Early } from '../core/early.ts';
import type { PurchaseReference, ReversalRequest } from '../core/message.ts';
import type { TransactionRecord } from '../core/transaction.ts';
import { type BatchState, keyOf, setRecord } from './batch-state.ts';
import type { MessageRecord, RecordKind } from './queries.ts';

/** The network's id of an unknown purchase. Under our own id it is an error. */
export function networkIdOf(purchase: PurchaseReference): string {
  if ('transactionId' in purchase) throw notFound();
  return purchase.externalTransactionId;
}

/** The id of a refund in suspense, which has no transaction. */
export function requireNoRefund(record: MessageRecord | undefined): void {
  if (record?.early?.unmatched) throw new EmbossError(409, 'external_transaction_id: is the id of a refund');
}

/** The purchase that a message names. If it is known and its card is not locked, it was created just now. */
export function purchaseOf(
  state: BatchState,
  purchase: PurchaseReference,
  { mayBeCredit = false } = {},
): TransactionRecord | 'retry' | undefined {
  const record =
    'transactionId' in purchase
      ? undefined
      : state.messages.get(keyOf('transaction', purchase.externalTransactionId));
  requireNoRefund(record);
  const id = 'transactionId' in purchase ? purchase.transactionId : record?.transactionId;
  if (!id) return undefined;
  const transaction = state.transactions.get(id);
  if (!transaction) return 'transactionId' in purchase || state.missing.has(id) ? undefined : 'retry';
  const isCredit = mayBeCredit && transaction.type === 'CREDIT';
  if (transaction.kind === 'refund' && 'externalTransactionId' in purchase && !isCredit)
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
    ...(record ?? emptyRecord('transaction', externalTransactionId)),
    transactionId: transaction?.id ?? null,
    cardId: transaction?.cardId ?? null,
  });
}

/** The same for an increment whose reversal arrives first. */
export function reserveIncrement(state: BatchState, incrementId: string): void {
  if (!state.messages.has(keyOf('increment', incrementId)))
    setRecord(state, emptyRecord('increment', incrementId));
}

/** The reversal of an authorization that has not arrived yet. */
export function rememberReversal(
  state: BatchState,
  externalTransactionId: string,
  { part, timedOut }: ReversalRequest,
): void {
  remember(state, externalTransactionId, (early) => {
    if (timedOut) return { ...early, timedOut };
    if (part === undefined || early.reversed === 'all') return { ...early, reversed: 'all' };
    return { ...early, reversed: String(BigInt(early.reversed ?? 0) + part.billAmountMinor) };
  });
}

/** A refund of a purchase that has not arrived yet. */
export function rememberRefund(state: BatchState, externalTransactionId: string, refundId: string): void {
  remember(state, externalTransactionId, (early) => ({
    ...early,
    refunds: [...(early.refunds ?? []), refundId],
  }));
}

/** They are linked now. */
export function forgetRefunds(state: BatchState, externalTransactionId: string): void {
  remember(state, externalTransactionId, ({ refunds: _linked, ...early }) => early);
}

function remember(state: BatchState, externalTransactionId: string, change: (early: Early) => Early): void {
  const known = state.messages.get(keyOf('transaction', externalTransactionId));
  const record = known ?? emptyRecord('transaction', externalTransactionId);
  setRecord(state, { ...record, early: change(record.early ?? {}) });
}

const emptyRecord = (kind: RecordKind, messageId: string): MessageRecord => ({
  kind,
  messageId,
  transactionId: null,
  cardId: null,
  requestDigest: null,
  response: null,
  early: null,
});
