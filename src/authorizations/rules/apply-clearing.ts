import type { CardFacts } from '../../cards/card-facts.ts';
import { formatAmount } from '../../kernel/money.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import type { ClearingRequest, ClearingResponse } from './message.ts';
import { clearingTransfers, holdTransfers } from './movements.ts';
import { feeTerms, newTransaction } from './new-transaction.ts';
import { feesOn, holdOf, settledStatus, type TransactionRecord } from './transaction.ts';

/**
 * A clearing is never refused, whatever is held or available. The hold is first adjusted to what the clearing needs, up
 * or down, then spent. A final clearing releases the rest of the hold.
 */
export function applyClearing(
  request: ClearingRequest,
  { card, transaction: before }: { card: CardFacts; transaction: TransactionRecord },
  setting: Setting,
): Effects<ClearingResponse> {
  const { billAmountMinor } = request;
  const transaction = clear(before, request);
  const fees = feesOn(before, billAmountMinor);
  const neededMinor = billAmountMinor + fees.fxMinor + fees.atmMinor;
  const extraMinor = neededMinor + holdOf(transaction) - holdOf(before);
  const event = newEvent('authorization.clearing', setting, transaction, request, fees);
  return {
    response: {
      clearing_id: request.messageId,
      transaction_id: before.id,
      external_transaction_id: before.externalTransactionId,
      status: transaction.status,
      bill_amount: formatAmount(billAmountMinor, before.billCurrency),
      bill_currency: before.billCurrency,
    },
    card: { ...card, availableMinor: card.availableMinor - extraMinor },
    transaction,
    event,
    transfers: [
      ...holdTransfers(event.id, card.cardId, extraMinor),
      ...clearingTransfers(event.id, billAmountMinor, fees, setting.program),
    ],
  };
}

function clear(before: TransactionRecord, request: ClearingRequest): TransactionRecord {
  const { billAmountMinor, final } = request;
  const uncoveredMinor = before.heldMinor - billAmountMinor;
  const heldMinor = final || uncoveredMinor < 0n ? 0n : uncoveredMinor;
  const after = {
    ...before,
    ...clearedAmount(before, request),
    heldMinor,
    clearedMinor: before.clearedMinor + billAmountMinor,
    final: before.final || final,
  };
  // A clearing of zero on a declined purchase leaves it declined.
  if (after.clearedMinor === 0n && before.heldMinor === 0n) return { ...after, status: before.status };
  return { ...after, status: settledStatus(after) };
}

/** In the merchant's currency. A later clearing in a third currency cannot be added. */
function clearedAmount(before: TransactionRecord, { amountMinor, currency }: ClearingRequest) {
  const { clearedAmountMinor, clearedCurrency } = before;
  if (clearedCurrency !== null && clearedCurrency !== currency) return {};
  return { clearedAmountMinor: clearedAmountMinor + amountMinor, clearedCurrency: currency };
}

/** The purchase of a clearing without authorization: nothing was held, and its merchant is unknown. */
export const unauthorizedPurchase = (
  request: ClearingRequest,
  externalTransactionId: string,
  card: CardFacts,
  setting: Setting,
  reversedFirst: boolean,
): TransactionRecord =>
  newTransaction(request, card, setting, {
    kind: 'purchase',
    externalTransactionId,
    status: 'VOID',
    // For the authorization that may still arrive.
    declineReason: reversedFirst ? 'already_reversed' : null,
    ...feeTerms(request.currency, null, setting.program),
  });
