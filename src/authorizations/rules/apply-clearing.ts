import { newId } from '../../kernel/ids.ts';
import { formatAmount } from '../../kernel/money.ts';
import { feeTerms } from './apply-authorization.ts';
import type { CardFacts } from './card-facts.ts';
import type { Outcome, Setting } from './effects.ts';
import type { ClearingAnswer, ClearingRequest } from './message.ts';
import { clearingTransfers, holdTransfers } from './movements.ts';
import { eventView, feesOn, holdOf, settledStatus, type TransactionRecord } from './transaction.ts';

/**
 * Money was spent: never refused, whatever is held or available. The hold is first brought to what is needed, up or
 * down, then spent; what a final clearing leaves of it is let go.
 */
export function applyClearing(
  request: ClearingRequest,
  facts: { card: CardFacts; transaction: TransactionRecord },
  { program, nowMs }: Setting,
): Outcome<ClearingAnswer> {
  const { card, transaction: before } = facts;
  const { billAmountMinor } = request;
  const transaction = clear(before, request);
  const fees = feesOn(before, billAmountMinor);
  const neededMinor = billAmountMinor + fees.fxMinor + fees.atmMinor;
  const extraMinor = neededMinor + holdOf(transaction) - holdOf(before);
  const event = {
    id: newId(nowMs),
    name: 'authorization.clearing' as const,
    data: eventView(transaction, request, fees),
  };
  return {
    answer: {
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
      ...clearingTransfers(event.id, billAmountMinor, fees, program),
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
  // Nothing was held and nothing is spent: a clearing of zero leaves a decline a decline.
  if (after.clearedMinor === 0n && before.heldMinor === 0n) return { ...after, status: before.status };
  return { ...after, status: settledStatus(after) };
}

/** In the merchant's currency; a later clearing in yet another currency cannot be added. */
function clearedAmount(before: TransactionRecord, { amountMinor, currency }: ClearingRequest) {
  const { clearedAmountMinor, clearedCurrency } = before;
  if (clearedCurrency !== null && clearedCurrency !== currency) return {};
  return { clearedAmountMinor: clearedAmountMinor + amountMinor, clearedCurrency: currency };
}

/** The purchase of a clearing that had no authorization: nothing was held, and nobody told where it was spent. */
export function unauthorizedPurchase(
  request: ClearingRequest,
  externalTransactionId: string,
  card: CardFacts,
  { program, nowMs }: Setting,
  reversedFirst: boolean,
): TransactionRecord {
  return {
    id: newId(nowMs),
    cardId: card.cardId,
    credentialId: card.credentialId,
    kind: 'purchase',
    parentId: null,
    externalTransactionId,
    status: 'VOID',
    amountMinor: request.amountMinor,
    currency: request.currency,
    billAmountMinor: request.billAmountMinor,
    billCurrency: program.currency,
    channel: null,
    merchant: null,
    // Kept here for the authorization that may still come.
    declineReason: reversedFirst ? 'already_reversed' : null,
    networkCode: null,
    approvalCode: null,
    ...feeTerms(request.currency, null, program),
    heldMinor: 0n,
    clearedMinor: 0n,
    reversedMinor: 0n,
    final: false,
    clearedAmountMinor: 0n,
    clearedCurrency: null,
    createdAt: new Date(nowMs),
    approvedAt: null,
  };
}
