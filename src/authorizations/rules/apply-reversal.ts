import { dayOf } from '../../kernel/calendar.ts';
import { newId } from '../../kernel/ids.ts';
import { formatAmount } from '../../kernel/money.ts';
import type { CardFacts } from './card-facts.ts';
import type { Outcome, Setting } from './effects.ts';
import type { ReversalAnswer, ReversalRequest } from './message.ts';
import { holdTransfers } from './movements.ts';
import { unspend } from './spending.ts';
import {
  amountOf,
  eventView,
  type Fees,
  feesOn,
  holdOf,
  settledStatus,
  type TransactionRecord,
} from './transaction.ts';

/**
 * Gives back all or part of a hold. What is no longer held cannot be given back, and is not; but what was approved and
 * neither cleared nor reversed yet no longer counts in the card's limits, also when its hold has expired.
 */
export function applyReversal(
  request: ReversalRequest,
  facts: { card: CardFacts; transaction: TransactionRecord },
  setting: Setting,
): Outcome<ReversalAnswer> {
  const { card, transaction: before } = facts;
  const openMinor = stillOpen(before);
  const uncountedMinor = least(request.billAmountMinor ?? openMinor, openMinor);
  const releasedBillMinor = least(uncountedMinor, before.heldMinor);
  const released = release(before, releasedBillMinor);
  const transaction = { ...released, reversedMinor: before.reversedMinor + uncountedMinor };
  const answer = {
    reversal_id: request.messageId,
    transaction_id: before.id,
    external_transaction_id: before.externalTransactionId,
    status: transaction.status,
    bill_amount: formatAmount(releasedBillMinor, before.billCurrency),
    bill_currency: before.billCurrency,
  };
  if (uncountedMinor === 0n) return { answer, transfers: [] };
  const { nowMs } = setting;
  const event = {
    id: newId(nowMs),
    name: 'authorization.reversal' as const,
    data: eventView(
      transaction,
      {
        messageId: request.messageId,
        amountMinor: amountOf(before, releasedBillMinor),
        currency: before.currency,
        billAmountMinor: releasedBillMinor,
      },
      releasedFees(before, transaction),
    ),
  };
  const releasedMinor = holdOf(before) - holdOf(transaction);
  return {
    answer,
    card: {
      ...card,
      ...unspend(card, dayOf((before.approvedAt ?? before.createdAt).getTime()), uncountedMinor),
      availableMinor: card.availableMinor + releasedMinor,
    },
    transaction,
    event,
    transfers: holdTransfers(event.id, card.cardId, -releasedMinor),
  };
}

/** What was approved and neither cleared nor reversed. */
function stillOpen({
  approvalCode,
  billAmountMinor,
  clearedMinor,
  reversedMinor,
}: TransactionRecord): bigint {
  const openMinor = billAmountMinor - clearedMinor - reversedMinor;
  return approvalCode !== null && openMinor > 0n ? openMinor : 0n;
}

/** The fees on what is held no more. */
function releasedFees(before: TransactionRecord, after: TransactionRecord): Fees {
  const [held, kept] = [feesOn(before, before.heldMinor), feesOn(after, after.heldMinor)];
  return { fxMinor: held.fxMinor - kept.fxMinor, atmMinor: held.atmMinor - kept.atmMinor };
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The transaction with part of its hold let go. */
export function release(transaction: TransactionRecord, billMinor: bigint): TransactionRecord {
  if (billMinor === 0n) return transaction;
  const after = { ...transaction, heldMinor: transaction.heldMinor - billMinor };
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
      // Nothing was held, so nothing is given back.
      bill_amount: formatAmount(0n, billCurrency),
      bill_currency: billCurrency,
    },
    transfers: [],
  };
}
