import { dayOf } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { formatAmount } from '../kernel/money.ts';
import { type CardFacts, unspend } from './card-facts.ts';
import type { ReversalAnswer, ReversalRequest } from './message.ts';
import { holdTransfers } from './movements.ts';
import type { Outcome, Setting } from './outcome.ts';
import { amountOf, eventView, holdOf, settledStatus, type TransactionRecord } from './transaction.ts';

/** Gives back all or part of a hold. What is no longer held cannot be given back, and is not. */
export function applyReversal(
  request: ReversalRequest,
  facts: { card: CardFacts; transaction: TransactionRecord },
  setting: Setting,
): Outcome<ReversalAnswer> {
  const { card, transaction: before } = facts;
  const askedMinor = request.billAmountMinor ?? before.heldMinor;
  if (askedMinor > before.billAmountMinor)
    throw invalid(
      'bill_amount',
      `must be at most the ${formatAmount(before.billAmountMinor, before.billCurrency)} of the authorization`,
    );
  const reversedMinor = askedMinor < before.heldMinor ? askedMinor : before.heldMinor;
  const transaction = release(before, reversedMinor, { reversed: true });
  const answer = {
    reversal_id: request.messageId,
    transaction_id: before.id,
    external_transaction_id: before.externalTransactionId,
    status: transaction.status,
    bill_amount: formatAmount(reversedMinor, before.billCurrency),
    bill_currency: before.billCurrency,
  };
  if (reversedMinor === 0n) return { answer, transfers: [] };
  const { nowMs } = setting;
  const event = {
    id: newId(nowMs),
    name: 'authorization.reversal' as const,
    data: eventView(transaction, {
      messageId: request.messageId,
      amountMinor: amountOf(before, reversedMinor),
      currency: before.currency,
      billAmountMinor: reversedMinor,
    }),
  };
  const releasedMinor = holdOf(before) - holdOf(transaction);
  return {
    answer,
    card: {
      ...card,
      ...unspend(card, dayOf(before.createdAt.getTime()), reversedMinor),
      availableMinor: card.availableMinor + releasedMinor,
    },
    transaction,
    event,
    transfers: holdTransfers(event.id, card.cardId, -releasedMinor),
  };
}

/** The transaction with part of its hold let go. */
export function release(
  transaction: TransactionRecord,
  billMinor: bigint,
  { reversed }: { reversed: boolean },
): TransactionRecord {
  if (billMinor === 0n) return transaction;
  const after = {
    ...transaction,
    heldMinor: transaction.heldMinor - billMinor,
    reversedMinor: transaction.reversedMinor + (reversed ? billMinor : 0n),
  };
  return { ...after, status: settledStatus(after) };
}

/** The reversal of an authorization that has not come yet: remembered, so that it is declined when it comes. */
export function earlyReversal(
  request: ReversalRequest,
  externalTransactionId: string,
  billCurrency: string,
): Outcome<ReversalAnswer> {
  return {
    answer: {
      reversal_id: request.messageId,
      transaction_id: null,
      external_transaction_id: externalTransactionId,
      status: 'VOID',
      bill_amount: formatAmount(request.billAmountMinor ?? 0n, billCurrency),
      bill_currency: billCurrency,
    },
    transfers: [],
  };
}
