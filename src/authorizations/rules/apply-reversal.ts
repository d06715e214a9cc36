import type { CardFacts } from '../../cards/card-facts.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { formatAmount } from '../../kernel/money.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import type { ReversalRequest, ReversalResponse } from './message.ts';
import { holdTransfers } from './movements.ts';
import { unspend } from './spending.ts';
import { amountOf, type Fees, feesOn, holdOf, settledStatus, type TransactionRecord } from './transaction.ts';

/**
 * Releases all or part of a hold, at most the amount still held. The reversed part, at most the approved amount that is
 * neither cleared nor reversed, no longer counts in the card's limits, even if its hold has expired.
 */
export function applyReversal(
  request: ReversalRequest,
  { card, transaction: before }: { card: CardFacts; transaction: TransactionRecord },
  setting: Setting,
): Effects<ReversalResponse> {
  const openMinor = stillOpen(before);
  const uncountedMinor = least(request.billAmountMinor ?? openMinor, openMinor);
  const releasedBillMinor = least(uncountedMinor, before.heldMinor);
  const transaction = {
    ...release(before, releasedBillMinor),
    reversedMinor: before.reversedMinor + uncountedMinor,
  };
  const response = {
    reversal_id: request.messageId,
    transaction_id: before.id,
    external_transaction_id: before.externalTransactionId,
    status: transaction.status,
    bill_amount: formatAmount(releasedBillMinor, before.billCurrency),
    bill_currency: before.billCurrency,
  };
  if (uncountedMinor === 0n) return { response, transfers: [] };
  const moved = {
    messageId: request.messageId,
    amountMinor: amountOf(before, releasedBillMinor),
    currency: before.currency,
    billAmountMinor: releasedBillMinor,
  };
  const fees = releasedFees(before, transaction);
  const event = newEvent('authorization.reversal', setting, transaction, moved, fees);
  const releasedMinor = holdOf(before) - holdOf(transaction);
  return {
    response,
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

/** The approved amount that is neither cleared nor reversed. */
function stillOpen({
  approvalCode,
  billAmountMinor,
  clearedMinor,
  reversedMinor,
}: TransactionRecord): bigint {
  const openMinor = billAmountMinor - clearedMinor - reversedMinor;
  return approvalCode !== null && openMinor > 0n ? openMinor : 0n;
}

/** The fees on the released part. */
function releasedFees(before: TransactionRecord, after: TransactionRecord): Fees {
  const [held, kept] = [feesOn(before, before.heldMinor), feesOn(after, after.heldMinor)];
  return { fxMinor: held.fxMinor - kept.fxMinor, atmMinor: held.atmMinor - kept.atmMinor };
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The transaction with part of its hold released. */
export function release(transaction: TransactionRecord, billMinor: bigint): TransactionRecord {
  if (billMinor === 0n) return transaction;
  const after = { ...transaction, heldMinor: transaction.heldMinor - billMinor };
  return { ...after, status: settledStatus(after) };
}

/** The reversal of an authorization that has not arrived yet. The authorization will be declined. */
export function earlyReversal(
  request: ReversalRequest,
  externalTransactionId: string,
  billCurrency: string,
): Effects<ReversalResponse> {
  return {
    response: {
      reversal_id: request.messageId,
      transaction_id: null,
      external_transaction_id: externalTransactionId,
      status: 'VOID',
      // Nothing was held, so nothing is released.
      bill_amount: formatAmount(0n, billCurrency),
      bill_currency: billCurrency,
    },
    transfers: [],
  };
}
