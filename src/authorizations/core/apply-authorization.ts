import { randomInt } from 'node:crypto';
import { withNewer } from '../../cards/network-data.ts';
import { formatAmount } from '../../kernel/money.ts';
import type { Decision } from './decide.ts';
import { type DecisionNeeded, needBalance, needDecision } from './decision-request.ts';
import { DECLINES } from './decline.ts';
import { leftAfterReversal } from './early.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import { adviceDecision, type Judgement, judgeAuthorization } from './judge-authorization.ts';
import { declinedBy, evaluatedBy, rulesView } from './judge-by-rules.ts';
import { markedDecline } from './marks.ts';
import { decisionView } from './merchant-decision.ts';
import type { AdviceRequest, AuthorizationRequest } from './message.ts';
import { fillOrigin } from './new-transaction.ts';
import type { DecidedResponse } from './response.ts';
import { settle } from './settle.ts';
import {
  declineView,
  feesOf,
  lessFees,
  movesCredit,
  settledStatus,
  type TransactionRecord,
  WITHOUT_FEES,
} from './transaction.ts';
import { type AuthorizationFacts, neededOf } from './wanted-purchase.ts';
import { countWrongEntries } from './wrong-entries.ts';

/** `facts` undefined: the number is not a card in this program, so there is no card to record a transaction on. */
export function applyAuthorization(
  request: AuthorizationRequest | AdviceRequest,
  facts: AuthorizationFacts | undefined,
  setting: Setting,
): Effects<DecidedResponse> | DecisionNeeded {
  if (!facts) return declineUnknownNumber(request, setting);
  if (facts.cleared?.advised) return { response: outcomeOf(request, facts.cleared), transfers: [] };
  const judgement = judgeAuthorization(request, facts, setting);
  const { decision, wanted, verdict } = judgement;
  if (!decision.approved) return decline(request, facts, setting, { ...judgement, decision });
  const { cleared } = facts;
  const { amountMinor, billAmountMinor } = wanted;
  const fees = lessFees(feesOf(wanted), cleared ? feesOf(cleared) : WITHOUT_FEES);
  const moved = { ...request, amountMinor, billAmountMinor };
  if (needsBalance(request, wanted)) return needBalance(request, facts.card, wanted, setting);
  if (needsDecision(request, wanted))
    return needDecision(moved, facts.card, wanted, { fees, heldMinor: neededOf(wanted, cleared) }, setting);
  const { refunded } = facts;
  // An advice may come after the reversal of its credit.
  const isExpected = request.type === 'CREDIT' && leftAfterReversal(facts.early, billAmountMinor) > 0n;
  const transaction: TransactionRecord = {
    ...(refunded
      ? {
          ...refunded,
          type: request.type,
          network: withNewer(request.network, refunded.network),
          advised: wanted.advised,
        }
      : { ...wanted, status: isExpected ? 'PENDING' : settledStatus(wanted) }),
    networkCode: decision.networkCode,
    approvalCode: request.standIn?.approvalCode ?? newApprovalCode(),
  };
  const more = {
    ...requestedView(request, transaction),
    ...rulesView(verdict),
    ...decisionView(true, request),
  };
  const event = newEvent('authorization', setting, transaction, moved, fees, more);
  const card = countWrongEntries(facts.card, facts.cvvMatches, decision, setting.nowMs);
  const response = respond(request, transaction, decision);
  if (request.type === 'BALANCE_INQUIRY')
    response.availableMinor = movesCredit(transaction)
      ? card.availableMinor
      : (request.merchantDecision?.response.availableMinor ?? null);
  return {
    response,
    transaction,
    event,
    ...evaluatedBy(verdict, event, transaction, { approved: true, amountMinor: billAmountMinor }),
    ...usedBy(transaction),
    ...settle(event.id, card, cleared ?? refunded, transaction, setting),
  };
}

/** Where a part was approved, what had been requested: rules and their backtests compare it. */
const requestedView = ({ billAmountMinor: requestedMinor }: Asked, approved: TransactionRecord) =>
  requestedMinor > approved.billAmountMinor
    ? { requested_amount: formatAmount(requestedMinor, approved.billCurrency) }
    : undefined;

/** Only an approved amount uses an authentication: an account check buys nothing. */
export const usedBy = ({ authentication, billAmountMinor }: TransactionRecord) =>
  billAmountMinor > 0n && authentication?.authenticationId && authentication.reason === null
    ? { usedAuthentication: authentication.authenticationId }
    : undefined;

/** Not for what the network has decided, and not if nothing would be held: account checks and balance inquiries. */
const needsDecision = (
  request: AuthorizationRequest | AdviceRequest,
  { authorizationMode, heldMinor }: TransactionRecord,
): boolean =>
  authorizationMode !== 'STANDARD' &&
  request.kind === 'authorization' &&
  !request.merchantDecision &&
  heldMinor > 0n;

export const newApprovalCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** An authorization that arrives after its advice: the network has decided, and nothing moves. */
function outcomeOf(request: Asked, transaction: TransactionRecord): DecidedResponse {
  const decision = adviceDecision({ standIn: { approved: transaction.approvalCode !== null } });
  return respond(request, { ...transaction, ...advisedMoney(transaction) }, decision);
}

/** The amounts of the newest advice: without the increments since then. */
function advisedMoney({ amountMinor, billAmountMinor, increments }: TransactionRecord) {
  const later = increments.filter(({ advised }) => !advised);
  return {
    amountMinor: later.reduce((left, increment) => left - increment.amountMinor, amountMinor),
    billAmountMinor: later.reduce((left, increment) => left - increment.billMinor, billAmountMinor),
  };
}

/** Where the merchant keeps the balances, only the merchant knows them. */
const needsBalance = (
  request: AuthorizationRequest | AdviceRequest,
  transaction: TransactionRecord,
): boolean =>
  request.kind === 'authorization' &&
  request.type === 'BALANCE_INQUIRY' &&
  !movesCredit(transaction) &&
  !request.merchantDecision;

function decline(
  request: AuthorizationRequest | AdviceRequest,
  facts: AuthorizationFacts,
  setting: Setting,
  { decision, wanted, limits, verdict }: Judgement & { decision: { approved: false } },
): Effects<DecidedResponse> {
  const declined = { declineReason: decision.reason, networkCode: decision.networkCode };
  const { cleared } = facts;
  // Money that has cleared stays spent when its late authorization is declined.
  const unmarked: TransactionRecord = cleared
    ? {
        ...cleared,
        ...fillOrigin(cleared, request),
        network: withNewer(cleared.network, request.network),
        authentication: wanted.authentication,
        rules: wanted.rules,
        cvvGiven: wanted.cvvGiven,
        ...declined,
      }
    : { ...wanted, ...requestedOf(request), ...NOT_APPROVED, ...declined };
  const transaction = markedDecline(request, unmarked, facts.card, setting, declinedBy(decision, verdict));
  const more = {
    ...declineView(transaction),
    ...rulesView(verdict),
    ...decisionView(false, request),
    limits,
  };
  const event = newEvent('authorization.declined', setting, transaction, request, WITHOUT_FEES, more);
  const response = respond(request, transaction, decision);
  const card = countWrongEntries(facts.card, facts.cvvMatches, decision, setting.nowMs);
  if (card.wrongEntries !== facts.card.wrongEntries) response.wrongEntries = card.wrongEntries.length;
  const blocks = card.status !== facts.card.status;
  const evaluated = evaluatedBy(verdict, event, transaction, {
    approved: false,
    amountMinor: request.billAmountMinor,
  });
  return { response, card, blocks, transaction, event, ...evaluated, transfers: [] };
}

/** A decline shows what was requested, also where the merchant had approved a part of it. */
const requestedOf = ({ amountMinor, billAmountMinor }: AuthorizationRequest | AdviceRequest) => ({
  amountMinor,
  billAmountMinor,
});

const NOT_APPROVED = {
  status: 'DECLINED' as const,
  heldMinor: 0n,
  heldAmountMinor: 0n,
  counted: [],
  approvalCode: null,
  approvedOn: null,
};

type Recorded = Pick<
  TransactionRecord,
  'amountMinor' | 'currency' | 'billAmountMinor' | 'billCurrency' | 'status' | 'approvalCode'
> & { id: string | null };
type Asked = Pick<
  AuthorizationRequest,
  'externalTransactionId' | 'amountMinor' | 'currency' | 'billAmountMinor'
>;

export function respond(asked: Asked, transaction: Recorded, decision: Decision): DecidedResponse {
  const { amountMinor, currency, billAmountMinor } = decision.approved ? transaction : asked;
  return {
    transactionId: transaction.id,
    externalTransactionId: asked.externalTransactionId,
    status: decision.approved ? transaction.status : 'DECLINED',
    billAmountMinor,
    billCurrency: transaction.billCurrency,
    amountMinor,
    currency,
    approved: decision.approved,
    declineCode: decision.approved ? null : DECLINES[decision.reason].declineCode,
    declineReason: decision.approved ? null : decision.reason,
    networkCode: decision.networkCode,
    approvalCode: decision.approved ? transaction.approvalCode : null,
    availableMinor: null,
  };
}

function declineUnknownNumber(
  request: AuthorizationRequest | AdviceRequest,
  { program }: Setting,
): Effects<DecidedResponse> {
  const reason = 'invalid_card_number';
  const decision = { approved: false, reason, networkCode: DECLINES[reason].networkCode } as const;
  const none = { ...request, id: null, billCurrency: program.currency, approvalCode: null };
  return { response: respond(request, { ...none, status: 'DECLINED' }, decision), transfers: [] };
}
