import { randomInt } from 'node:crypto';
import type { CardFacts } from '../../cards/card-facts.ts';
import { formatAmount } from '../../kernel/money.ts';
import { holdsExpireBefore } from './apply-expiry.ts';
import { type Decision, decide } from './decide.ts';
import { DECLINES } from './decline.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import { type AuthorizationRequest, type AuthorizationResponse, WRONG_ENTRIES } from './message.ts';
import { atmFeeTransfers, holdTransfers } from './movements.ts';
import { feeTerms, newTransaction } from './new-transaction.ts';
import { spend } from './spending.ts';
import {
  type Fees,
  feesOn,
  holdOf,
  settledStatus,
  type TransactionRecord,
  WITHOUT_FEES,
} from './transaction.ts';
import { countWrongEntries } from './wrong-entries.ts';

export interface AuthorizationFacts {
  card: CardFacts;
  cvvMatches: boolean | undefined;
  masterMinor: bigint | undefined;
  /** A reversal arrived before the authorization. */
  reversed: boolean;
  /** The transaction that a clearing created before its authorization arrived. */
  cleared: TransactionRecord | undefined;
}

export function applyAuthorization(
  request: AuthorizationRequest,
  facts: AuthorizationFacts,
  setting: Setting,
): Effects<AuthorizationResponse> {
  const { today } = setting;
  const { cleared } = facts;
  const requested = newPurchase(request, facts.card, setting);
  const wanted = cleared ? afterClearing(requested, cleared, setting) : requested;
  // The clearing did not say that it was a cash withdrawal, so it did not pay the ATM fee.
  const missedFeeMinor = cleared && cleared.clearedMinor > 0n ? wanted.atmFeeMinor : 0n;
  const holdMinor = holdOf(wanted) + missedFeeMinor;
  const decision = decide(request, { ...facts, holdMinor }, today);
  const transaction = decision.approved
    ? approved(wanted, decision, setting)
    : declined(cleared ? { ...wanted, ...spentAlready(cleared) } : wanted, decision, cleared);
  const fees = decision.approved ? heldFees(wanted, missedFeeMinor) : WITHOUT_FEES;
  const name = decision.approved ? 'authorization' : 'authorization.declined';
  const event = newEvent(name, setting, transaction, request, fees);
  const response = respond(request, transaction, decision);
  const card = countWrongEntries(facts.card, facts.cvvMatches, decision, setting.nowMs);
  if (!decision.approved) {
    const isWrongEntry = card.wrongEntries !== facts.card.wrongEntries;
    return {
      response: isWrongEntry ? { ...response, [WRONG_ENTRIES]: card.wrongEntries.length } : response,
      card,
      blocks: card.status !== facts.card.status,
      transaction,
      event,
      transfers: [],
    };
  }
  return {
    response,
    card: {
      ...card,
      ...spend(card, today, request.billAmountMinor),
      availableMinor: card.availableMinor - holdMinor,
    },
    transaction,
    event,
    transfers: [
      ...holdTransfers(event.id, card.cardId, holdMinor),
      ...atmFeeTransfers(event.id, missedFeeMinor),
    ],
  };
}

/** The purchase as it would be if approved: the whole amount is held. */
const newPurchase = (request: AuthorizationRequest, card: CardFacts, setting: Setting): TransactionRecord =>
  newTransaction(request, card, setting, {
    kind: 'purchase',
    externalTransactionId: request.messageId,
    status: 'PENDING',
    channel: request.channel,
    merchant: request.merchant,
    ...feeTerms(request.currency, request.channel, setting.program),
    heldMinor: request.billAmountMinor,
  });

/** The cleared amount is not held again. Nothing is held after a final clearing, or if the hold would have expired. */
function afterClearing(
  requested: TransactionRecord,
  cleared: TransactionRecord,
  { program, nowMs }: Setting,
): TransactionRecord {
  const restMinor = requested.billAmountMinor - cleared.clearedMinor;
  const expired = cleared.createdAt.getTime() < holdsExpireBefore(program.holdDays, nowMs);
  return {
    ...requested,
    ...spentAlready(cleared),
    billAmountMinor: requested.billAmountMinor,
    heldMinor: cleared.final || expired || restMinor < 0n ? 0n : restMinor,
  };
}

/** The fields that the clearing has settled, whatever the decision is. */
const spentAlready = (cleared: TransactionRecord) => ({
  id: cleared.id,
  createdAt: cleared.createdAt,
  status: cleared.status,
  billAmountMinor: cleared.billAmountMinor,
  heldMinor: cleared.heldMinor,
  clearedMinor: cleared.clearedMinor,
  reversedMinor: cleared.reversedMinor,
  final: cleared.final,
  clearedAmountMinor: cleared.clearedAmountMinor,
  clearedCurrency: cleared.clearedCurrency,
});

const approved = (
  wanted: TransactionRecord,
  { networkCode }: Decision,
  { nowMs }: Setting,
): TransactionRecord => ({
  ...wanted,
  approvedAt: new Date(nowMs),
  status: settledStatus(wanted),
  networkCode,
  approvalCode: String(randomInt(1_000_000)).padStart(6, '0'),
});

/** Money that has cleared stays spent when its late authorization is declined. */
const declined = (
  requested: TransactionRecord,
  { reason, networkCode }: Decision & { approved: false },
  cleared: TransactionRecord | undefined,
): TransactionRecord =>
  cleared
    ? { ...requested, declineReason: reason, networkCode }
    : { ...requested, status: 'DECLINED', heldMinor: 0n, declineReason: reason, networkCode };

/** The fees that an approval charges: on its hold, and the ATM fee that an earlier clearing did not pay. */
function heldFees(wanted: TransactionRecord, missedFeeMinor: bigint): Fees {
  const { fxMinor, atmMinor } = feesOn(wanted, wanted.heldMinor);
  return { fxMinor, atmMinor: atmMinor + missedFeeMinor };
}

type Recorded = Pick<TransactionRecord, 'billCurrency' | 'status' | 'approvalCode'> & { id: string | null };

const respond = (
  { messageId, billAmountMinor }: AuthorizationRequest,
  { id, billCurrency, status, approvalCode }: Recorded,
  decision: Decision,
): AuthorizationResponse => ({
  transaction_id: id,
  external_transaction_id: messageId,
  approved: decision.approved,
  status: decision.approved ? status : 'DECLINED',
  decline_code: decision.approved ? null : DECLINES[decision.reason].declineCode,
  decline_reason: decision.approved ? null : decision.reason,
  network_code: decision.networkCode,
  approval_code: decision.approved ? approvalCode : null,
  bill_amount: formatAmount(billAmountMinor, billCurrency),
  bill_currency: billCurrency,
});

/** The response for a number that is not a card in this program: there is no card to record a transaction on. */
export const declineUnknownNumber = (
  request: AuthorizationRequest,
  billCurrency: string,
): AuthorizationResponse =>
  respond(
    request,
    { id: null, billCurrency, status: 'DECLINED', approvalCode: null },
    { approved: false, reason: 'invalid_card_number', networkCode: DECLINES.invalid_card_number.networkCode },
  );
