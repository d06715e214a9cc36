import { randomInt } from 'node:crypto';
import type { CardFacts } from '../../cards/card-facts.ts';
import { limitsAt } from '../../cards/temporary-limits.ts';
import { formatAmount } from '../../kernel/money.ts';
import { type AuthenticationFacts, judgeAuthentication, lacksAuthentication } from './authentication.ts';
import {
  AMOUNT_REASONS,
  type Decision,
  type DecisionFacts,
  decide,
  explainDecline,
  largestApproval,
} from './decide.ts';
import { DECLINES, PARTLY_APPROVED_NETWORK_CODE } from './decline.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import { holdsExpireBefore } from './hold-days.ts';
import { decisionView, modeOf, offeredOf } from './merchant-decision.ts';
import { type AuthorizationRequest, type AuthorizationResponse, WRONG_ENTRIES } from './message.ts';
import { atmFeeOf, fillOrigin, newTransaction } from './new-transaction.ts';
import { type Ask, askFor } from './question.ts';
import { settle } from './settle.ts';
import { countOn, spendingOn } from './spending.ts';
import {
  feesOf,
  lessFees,
  movesCredit,
  settledStatus,
  type TransactionRecord,
  takenOf,
  WITHOUT_FEES,
} from './transaction.ts';
import { countWrongEntries } from './wrong-entries.ts';

export interface AuthorizationFacts {
  card: CardFacts;
  cvvMatches: boolean | undefined;
  masterMinor: bigint | undefined;
  /** The authentication that the request names; undefined: unknown. */
  authentication: AuthenticationFacts | undefined;
  /** A reversal arrived before the authorization. */
  reversed: boolean;
  /** The transaction that a clearing created before its authorization arrived. */
  cleared: TransactionRecord | undefined;
}

export function applyAuthorization(
  request: AuthorizationRequest,
  facts: AuthorizationFacts,
  setting: Setting,
): Effects<AuthorizationResponse> | Ask {
  const { cleared } = facts;
  const outcome = request.standIn ? advised(request, facts, setting) : decided(request, facts, setting);
  const { decision, wanted } = outcome;
  if (!decision.approved) return decline(request, facts, setting, { ...outcome, decision });
  const fees = lessFees(feesOf(wanted), cleared ? feesOf(cleared) : WITHOUT_FEES);
  if (mustAsk(request, wanted))
    return askFor(
      { ...request, amountMinor: wanted.amountMinor, billAmountMinor: wanted.billAmountMinor },
      facts.card,
      wanted,
      { fees, heldMinor: neededOf(wanted, cleared) },
      setting,
    );
  const transaction = {
    ...wanted,
    status: settledStatus(wanted),
    networkCode: decision.networkCode,
    approvalCode: request.standIn?.approvalCode ?? newApprovalCode(),
  };
  const moved = { ...request, amountMinor: wanted.amountMinor, billAmountMinor: wanted.billAmountMinor };
  const event = newEvent('authorization', setting, transaction, moved, fees, decisionView(true, request));
  const card = countWrongEntries(facts.card, facts.cvvMatches, decision, setting.nowMs);
  // Where the merchant keeps the balances, only the merchant knows them.
  const inquired = request.type === 'BALANCE_INQUIRY' &&
    movesCredit(transaction) && {
      available_amount: formatAmount(card.availableMinor, transaction.billCurrency),
    };
  return {
    response: { ...respond(request, transaction, decision), ...inquired },
    transaction,
    event,
    ...usedBy(transaction),
    ...settle(event.id, card, cleared, transaction, setting),
  };
}

/** Only an approved amount uses an authentication up: an account check buys nothing. */
const usedBy = ({ authentication, billAmountMinor }: TransactionRecord) =>
  billAmountMinor > 0n && authentication?.authenticationId && authentication.reason === null
    ? { usedAuthentication: authentication.authenticationId }
    : undefined;

/** Not for what the network has decided, and not where nothing would be held: account checks and balance inquiries. */
const mustAsk = (
  { standIn, asked }: AuthorizationRequest,
  { authorizationMode, heldMinor }: TransactionRecord,
): boolean => authorizationMode !== 'STANDARD' && !standIn && !asked && heldMinor > 0n;

interface Outcome {
  decision: Decision;
  /** The purchase as it is if approved. */
  wanted: TransactionRecord;
  limits: ReturnType<typeof explainDecline>;
}

/**
 * By our own guards and the merchant. Where only the amount stands in the way, a smaller one may be approved; the merchant
 * may approve a smaller one too.
 */
function decided(request: AuthorizationRequest, facts: AuthorizationFacts, setting: Setting): Outcome {
  const { today, program } = setting;
  const { asked, billAmountMinor } = request;
  const offeredMinor = offeredOf(asked, billAmountMinor);
  const whole = purchaseOf(request, offeredMinor, facts, setting);
  const wholeFacts = decisionFacts(request, whole, facts, setting);
  const decision = decide(request, wholeFacts, today);
  if (decision.approved) {
    const networkCode = offeredMinor < billAmountMinor ? PARTLY_APPROVED_NETWORK_CODE : decision.networkCode;
    return { decision: { ...decision, networkCode }, wanted: whole, limits: null };
  }
  const limits = explainDecline(decision.reason, wholeFacts, today, program.currency);
  if (!request.partialApproval || !AMOUNT_REASONS.includes(decision.reason))
    return { decision, wanted: whole, limits };
  const clearedMinor = wholeFacts.totalMinor - wholeFacts.addedMinor;
  const part = (addedMinor: bigint) => purchaseOf(request, clearedMinor + addedMinor, facts, setting);
  const neededFor = (addedMinor: bigint) => neededOf(part(addedMinor), facts.cleared);
  const largestMinor = largestApproval(wholeFacts, today, neededFor);
  if (largestMinor === 0n) return { decision, wanted: whole, limits };
  const wanted = part(largestMinor);
  const partly = decide(request, decisionFacts(request, wanted, facts, setting), today);
  return partly.approved
    ? { decision: { ...partly, networkCode: PARTLY_APPROVED_NETWORK_CODE }, wanted, limits: null }
    : { decision: partly, wanted: whole, limits: null };
}

/** By the network, which stood in for us: no guard applies. A reversal that came first leaves nothing to hold. */
function advised(request: AuthorizationRequest, facts: AuthorizationFacts, setting: Setting): Outcome {
  const purchase = purchaseOf(request, request.billAmountMinor, facts, setting);
  const wanted = facts.reversed
    ? { ...purchase, heldMinor: 0n, counted: facts.cleared?.counted ?? [] }
    : purchase;
  const { networkCode } = DECLINES.stand_in_declined;
  const decision: Decision = request.standIn?.approved
    ? { approved: true, networkCode: '00' }
    : { approved: false, reason: 'stand_in_declined', networkCode };
  return { decision, wanted, limits: null };
}

const neededOf = (wanted: TransactionRecord, cleared: TransactionRecord | undefined): bigint =>
  takenOf(wanted) - (cleared ? takenOf(cleared) : 0n);

const decisionFacts = (
  request: AuthorizationRequest,
  wanted: TransactionRecord,
  { card, cvvMatches, masterMinor, reversed, cleared }: AuthorizationFacts,
  { program, nowMs }: Setting,
): DecisionFacts => ({
  card: limitsAt(card, nowMs),
  cvvMatches,
  // By the requested amount, also where a part of it may be approved.
  lacksAuthentication: lacksAuthentication(program, request, wanted.authentication),
  masterMinor,
  reversed,
  totalMinor: wanted.billAmountMinor,
  addedMinor: wanted.heldMinor,
  neededMinor: neededOf(wanted, cleared),
  usesCredit: movesCredit(wanted),
  closed: false,
  asked: request.asked,
});

/** The purchase as it would be if an amount were approved: what has not cleared yet is held. */
function purchaseOf(
  request: AuthorizationRequest,
  billMinor: bigint,
  { card, cleared, authentication }: AuthorizationFacts,
  setting: Setting,
): TransactionRecord {
  const { program, today } = setting;
  const approvedOn = spendingOn(card, today).day;
  const requested = newTransaction(request, card, setting, {
    kind: 'purchase',
    externalTransactionId: request.messageId,
    status: 'PENDING',
    amountMinor: partOf(request, billMinor),
    billAmountMinor: billMinor,
    authorizationMode: modeOf(cleared, request.asked, program),
    channel: request.channel,
    merchant: request.merchant,
    authentication: request.authentication
      ? judgeAuthentication(request.authentication, authentication, { ...request, cardId: card.cardId })
      : null,
    atmFeeMinor: atmFeeOf(program, request.channel, request.type),
    approvedOn,
  });
  const heldMinor = cleared ? restAfter(cleared, billMinor, request, setting) : billMinor;
  const counted = countOn(cleared?.counted ?? [], approvedOn, heldMinor);
  return { ...requested, ...(cleared && settledBy(cleared, requested)), heldMinor, counted };
}

/** A part of the requested amount in the merchant's currency. */
const partOf = ({ amountMinor, billAmountMinor }: AuthorizationRequest, billMinor: bigint): bigint =>
  billMinor === billAmountMinor ? amountMinor : (amountMinor * billMinor) / billAmountMinor || 1n;

const newApprovalCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** The cleared amount is not held again. Nothing is held after a final clearing, or if the hold would have expired. */
function restAfter(
  cleared: TransactionRecord,
  billMinor: bigint,
  { merchant }: AuthorizationRequest,
  { program, nowMs }: Setting,
): bigint {
  const restMinor = billMinor - cleared.clearedMinor;
  const expired =
    cleared.createdAt.getTime() < holdsExpireBefore(program, cleared.merchant ?? merchant, nowMs);
  return cleared.final || expired || restMinor < 0n ? 0n : restMinor;
}

/** What the clearing has settled, whatever the decision is. The authorization fills what it did not say. */
const settledBy = (cleared: TransactionRecord, requested: TransactionRecord) => ({
  ...fillOrigin(cleared, {
    channel: requested.channel ?? undefined,
    merchant: requested.merchant ?? undefined,
  }),
  atmFeeMinor: cleared.channel === null ? requested.atmFeeMinor : cleared.atmFeeMinor,
  id: cleared.id,
  createdAt: cleared.createdAt,
  fxFeeBps: cleared.fxFeeBps,
  clearedMinor: cleared.clearedMinor,
  fxClearedMinor: cleared.fxClearedMinor,
  final: cleared.final,
  clearedAmountMinor: cleared.clearedAmountMinor,
  clearedCurrency: cleared.clearedCurrency,
});

function decline(
  request: AuthorizationRequest,
  facts: AuthorizationFacts,
  setting: Setting,
  { decision, wanted, limits }: Outcome & { decision: { approved: false } },
): Effects<AuthorizationResponse> {
  const declined = { declineReason: decision.reason, networkCode: decision.networkCode };
  const { cleared } = facts;
  // Money that has cleared stays spent when its late authorization is declined.
  const transaction: TransactionRecord = cleared
    ? { ...cleared, ...fillOrigin(cleared, request), authentication: wanted.authentication, ...declined }
    : { ...wanted, ...requestedOf(request), ...NOT_APPROVED, ...declined };
  const more = { ...decisionView(false, request), limits };
  const event = newEvent('authorization.declined', setting, transaction, request, WITHOUT_FEES, more);
  const response = respond(request, transaction, decision);
  const card = countWrongEntries(facts.card, facts.cvvMatches, decision, setting.nowMs);
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

/** A decline shows what was requested, also where the merchant had approved a part of it. */
const requestedOf = ({ amountMinor, billAmountMinor }: AuthorizationRequest) => ({
  amountMinor,
  billAmountMinor,
});

const NOT_APPROVED = {
  status: 'DECLINED' as const,
  heldMinor: 0n,
  counted: [],
  approvalCode: null,
  approvedOn: null,
};

type Recorded = Pick<TransactionRecord, 'billAmountMinor' | 'billCurrency' | 'status' | 'approvalCode'> & {
  id: string | null;
};

const respond = (
  { messageId, billAmountMinor }: AuthorizationRequest,
  transaction: Recorded,
  decision: Decision,
): AuthorizationResponse => {
  const { id, billCurrency, status, approvalCode } = transaction;
  const approvedMinor = decision.approved ? transaction.billAmountMinor : billAmountMinor;
  return {
    transaction_id: id,
    external_transaction_id: messageId,
    approved: decision.approved,
    status: decision.approved ? status : 'DECLINED',
    decline_code: decision.approved ? null : DECLINES[decision.reason].declineCode,
    decline_reason: decision.approved ? null : decision.reason,
    network_code: decision.networkCode,
    approval_code: decision.approved ? approvalCode : null,
    bill_amount: formatAmount(approvedMinor, billCurrency),
    bill_currency: billCurrency,
  };
};

/** The response for a number that is not a card in this program: there is no card to record a transaction on. */
export const declineUnknownNumber = (
  request: AuthorizationRequest,
  billCurrency: string,
): AuthorizationResponse =>
  respond(
    request,
    { id: null, billAmountMinor: 0n, billCurrency, status: 'DECLINED', approvalCode: null },
    { approved: false, reason: 'invalid_card_number', networkCode: DECLINES.invalid_card_number.networkCode },
  );
