import { randomInt } from 'node:crypto';
import { newId } from '../../kernel/ids.ts';
import { formatAmount } from '../../kernel/money.ts';
import type { Program } from '../../programs/program.ts';
import { holdsExpireBefore } from './apply-expiry.ts';
import type { CardFacts } from './card-facts.ts';
import { type Decision, decide } from './decide.ts';
import { DECLINES } from './decline.ts';
import type { Outcome, Setting } from './effects.ts';
import { type AuthorizationAnswer, type AuthorizationRequest, WRONG_ENTRIES } from './message.ts';
import { atmFeeTransfers, holdTransfers } from './movements.ts';
import { spend } from './spending.ts';
import {
  eventView,
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
  /** A reversal came first. */
  reversed: boolean;
  /** A clearing came first, and made the transaction. */
  cleared: TransactionRecord | undefined;
}

export function applyAuthorization(
  request: AuthorizationRequest,
  facts: AuthorizationFacts,
  setting: Setting,
): Outcome<AuthorizationAnswer> {
  const { today } = setting;
  const { cleared } = facts;
  const asked = newPurchase(request, facts.card, setting);
  const wanted = cleared ? afterClearing(asked, cleared, setting) : asked;
  // What cleared before anybody told that it was cash has not paid the fee for it.
  const missedFeeMinor = cleared && cleared.clearedMinor > 0n ? wanted.atmFeeMinor : 0n;
  const holdMinor = holdOf(wanted) + missedFeeMinor;
  const decision = decide(request, { ...facts, holdMinor }, today);
  const transaction = decision.approved
    ? approved(wanted, decision, setting)
    : declined(cleared ? { ...wanted, ...spentAlready(cleared) } : wanted, decision, cleared);
  const fees = decision.approved ? heldFees(wanted, missedFeeMinor) : WITHOUT_FEES;
  const event = newEvent(request, transaction, decision, fees, setting);
  const answer = answerTo(request, transaction, decision);
  const card = countWrongEntries(facts.card, facts.cvvMatches, decision, setting.nowMs);
  if (!decision.approved) {
    const blocks = card.status !== facts.card.status;
    const isWrongEntry = card.wrongEntries !== facts.card.wrongEntries;
    return {
      answer: isWrongEntry ? { ...answer, [WRONG_ENTRIES]: card.wrongEntries.length } : answer,
      card,
      blocks,
      transaction,
      event,
      transfers: [],
    };
  }
  return {
    answer,
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

/** The purchase as it would be if approved: everything asked for is held. */
function newPurchase(
  request: AuthorizationRequest,
  card: CardFacts,
  { program, nowMs }: Setting,
): TransactionRecord {
  return {
    id: newId(nowMs),
    cardId: card.cardId,
    credentialId: card.credentialId,
    kind: 'purchase',
    parentId: null,
    externalTransactionId: request.messageId,
    status: 'PENDING',
    amountMinor: request.amountMinor,
    currency: request.currency,
    billAmountMinor: request.billAmountMinor,
    billCurrency: program.currency,
    channel: request.channel,
    merchant: request.merchant,
    declineReason: null,
    networkCode: null,
    approvalCode: null,
    ...feeTerms(request.currency, request.channel, program),
    heldMinor: request.billAmountMinor,
    clearedMinor: 0n,
    reversedMinor: 0n,
    final: false,
    clearedAmountMinor: 0n,
    clearedCurrency: null,
    createdAt: new Date(nowMs),
    approvedAt: null,
  };
}

/** The program's terms as far as they apply: abroad, and for cash. */
export const feeTerms = (currency: string, channel: string | null, program: Program) => ({
  fxFeeBps: currency === program.currency ? 0 : program.fxFeeBps,
  atmFeeMinor: channel === 'ATM' ? program.atmFeeMinor : 0n,
});

/** What has cleared already is not held again; after a final clearing, or when a hold would be over already, nothing is. */
function afterClearing(
  asked: TransactionRecord,
  cleared: TransactionRecord,
  { program, nowMs }: Setting,
): TransactionRecord {
  const restMinor = asked.billAmountMinor - cleared.clearedMinor;
  const over = cleared.createdAt.getTime() < holdsExpireBefore(program.holdDays, nowMs);
  return {
    ...asked,
    ...spentAlready(cleared),
    billAmountMinor: asked.billAmountMinor,
    heldMinor: cleared.final || over || restMinor < 0n ? 0n : restMinor,
  };
}

/** What the clearing has settled, whatever is decided now. */
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

/** Money that has cleared is spent, whatever its late authorization is told. */
const declined = (
  asked: TransactionRecord,
  { reason, networkCode }: Decision & { approved: false },
  cleared: TransactionRecord | undefined,
): TransactionRecord =>
  cleared
    ? { ...asked, declineReason: reason, networkCode }
    : { ...asked, status: 'DECLINED', heldMinor: 0n, declineReason: reason, networkCode };

/** The fees that an approval charges: on what it holds, and what an earlier clearing should have paid. */
function heldFees(wanted: TransactionRecord, missedFeeMinor: bigint): Fees {
  const { fxMinor, atmMinor } = feesOn(wanted, wanted.heldMinor);
  return { fxMinor, atmMinor: atmMinor + missedFeeMinor };
}

function newEvent(
  request: AuthorizationRequest,
  transaction: TransactionRecord,
  { approved }: Decision,
  fees: Fees,
  { nowMs }: Setting,
) {
  return {
    id: newId(nowMs),
    name: approved ? ('authorization' as const) : ('authorization.declined' as const),
    data: eventView(transaction, request, fees),
  };
}

function answerTo(
  request: AuthorizationRequest,
  transaction: TransactionRecord,
  decision: Decision,
): AuthorizationAnswer {
  const { billCurrency, approvalCode } = transaction;
  const reason = decision.approved ? null : decision.reason;
  return {
    transaction_id: transaction.id,
    external_transaction_id: request.messageId,
    approved: decision.approved,
    status: reason ? 'DECLINED' : transaction.status,
    decline_code: reason && DECLINES[reason].declineCode,
    decline_reason: reason,
    network_code: decision.networkCode,
    approval_code: reason ? null : approvalCode,
    bill_amount: formatAmount(request.billAmountMinor, billCurrency),
    bill_currency: billCurrency,
  };
}

/** The answer for a number that is no card of this program. There is no card to record it on. */
export function declineUnknownNumber(
  request: AuthorizationRequest,
  billCurrency: string,
): AuthorizationAnswer {
  const { declineCode, networkCode } = DECLINES.invalid_card_number;
  return {
    transaction_id: null,
    external_transaction_id: request.messageId,
    approved: false,
    status: 'DECLINED',
    decline_code: declineCode,
    decline_reason: 'invalid_card_number',
    network_code: networkCode,
    approval_code: null,
    bill_amount: formatAmount(request.billAmountMinor, billCurrency),
    bill_currency: billCurrency,
  };
}
