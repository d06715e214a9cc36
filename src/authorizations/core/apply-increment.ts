import type { CardFacts } from '../../cards/card-facts.ts';
import { withNewer } from '../../cards/network-data.ts';
import { limitsAt } from '../../cards/temporary-limits.ts';
import { type AuthenticationShare, lacksAuthentication, raisedTo } from './authentication.ts';
import { type DecisionFacts, decide, explainDecline, isDeclinedBeforeRules } from './decide.ts';
import { type DecisionNeeded, needDecision } from './decision-request.ts';
import { DECLINES } from './decline.ts';
import { type Effects, newEvent, type Setting, type TransactionEvent } from './effects.ts';
import { evaluatedBy, judgeByRules, recordedRules, rulesView } from './judge-by-rules.ts';
import { decisionView } from './merchant-decision.ts';
import type { IncrementRequest } from './message.ts';
import { type DecidedResponse, respond } from './response.ts';
import { settle } from './settle.ts';
import { countOn, spendingOn } from './spending.ts';
import {
  authenticatedShareOf,
  declineView,
  heldFees,
  lessFees,
  movesCredit,
  type TransactionRecord,
  takenOf,
  WITHOUT_FEES,
} from './transaction.ts';
import { usageRefusals } from './usage.ts';

interface IncrementFacts {
  card: CardFacts;
  transaction: TransactionRecord;
  /** Its reversal arrived before it. */
  reversed: boolean;
  /** The shares of the other purchases that use its authentication. */
  authenticationShares: readonly AuthenticationShare[];
  masterMinor: bigint | undefined;
}

/** Raises a hold. The increment is decided like an authorization; a declined one leaves the hold as it was. */
export function applyIncrement(
  request: IncrementRequest,
  { card, transaction: before, reversed, authenticationShares, masterMinor }: IncrementFacts,
  setting: Setting,
): Effects<DecidedResponse> | DecisionNeeded {
  const { today, program, nowMs } = setting;
  const { billAmountMinor, merchantDecision, messageId } = request;
  const after: TransactionRecord = {
    ...before,
    amountMinor: before.amountMinor + request.amountMinor,
    billAmountMinor: before.billAmountMinor + billAmountMinor,
    heldMinor: before.heldMinor + billAmountMinor,
    heldAmountMinor: before.heldAmountMinor + request.amountMinor,
    increments: [
      ...before.increments,
      {
        id: messageId,
        billMinor: billAmountMinor,
        amountMinor: request.amountMinor,
        reversedMinor: 0n,
        advised: false,
      },
    ],
    renewedAt: new Date(nowMs),
    network: withNewer(before.network, request.network),
    counted: countOn(before.counted, spendingOn(card, today).day, billAmountMinor),
  };
  // The transaction keeps how its authorization was judged; the increment is judged by what the purchase takes with it.
  const authentication = raisedTo(before.authentication, authenticatedShareOf(after), authenticationShares);
  const unjudged: DecisionFacts = {
    card: limitsAt(card, setting.nowMs),
    cvvMatches: undefined,
    usageRefusals: usageRefusals(card, after, before, nowMs),
    lacksAuthentication: lacksAuthentication(
      program,
      // Who began the payment is said with the authorization.
      { ...after, network: before.network, merchantDecision },
      authentication,
    ),
    totalMinor: after.heldMinor + after.clearedMinor,
    addedMinor: billAmountMinor,
    neededMinor: takenOf(after) - takenOf(before),
    masterMinor,
    reversed,
    usesCredit: movesCredit(before),
    closed: before.heldMinor === 0n,
    merchantDecision,
    verdict: undefined,
  };
  const asked = { card: undefined, expiry: undefined, acceptor: before.acceptor };
  // The amount of a rule is that of the whole purchase, as for the transaction limit: nothing is gained by raising a hold.
  const attempted = { ...after, currency: request.currency, network: before.network, authentication };
  const verdict =
    setting.rules && !isDeclinedBeforeRules(asked, unjudged, today)
      ? judgeByRules(attempted, attempted, card, setting, { isAdvice: false })
      : undefined;
  const facts = { ...unjudged, verdict };
  const decision = decide(asked, facts, today);
  const judged = { ...before, authentication, rules: recordedRules(verdict) };
  const evaluatedIn = (event: TransactionEvent) =>
    evaluatedBy(verdict, event, before, { approved: decision.approved, amountMinor: billAmountMinor });
  const response: DecidedResponse = {
    ...respond(before, billAmountMinor),
    externalTransactionId: before.externalTransactionId,
    amountMinor: request.amountMinor,
    currency: request.currency,
    approved: decision.approved,
    declineCode: null,
    declineReason: null,
    networkCode: decision.networkCode,
    approvalCode: null,
    availableMinor: null,
  };
  if (!decision.approved) {
    const { reason, networkCode } = decision;
    const { declineCode } = DECLINES[reason];
    const declined = {
      ...declineView({ declineReason: reason }),
      network_code: networkCode,
      approval_code: null,
      ...rulesView(verdict),
      ...decisionView(false, request),
      limits: explainDecline(reason, facts, today, before.billCurrency),
    };
    const event = newEvent('authorization.declined', setting, judged, request, WITHOUT_FEES, declined);
    return {
      response: { ...response, status: 'DECLINED', declineCode, declineReason: reason },
      card,
      transaction: before,
      event,
      ...evaluatedIn(event),
      transfers: [],
    };
  }
  const fees = lessFees(heldFees(after), heldFees(before));
  if (before.authorizationMode !== 'STANDARD' && !request.merchantDecision) {
    const more = { type: 'PURCHASE', partialApproval: false, incrementId: messageId } as const;
    return needDecision(
      { ...request, ...more },
      card,
      judged,
      { fees, heldMinor: facts.neededMinor },
      setting,
    );
  }
  const shown = { ...after, authentication };
  const event = newEvent('authorization.increment', setting, shown, request, fees, {
    ...rulesView(verdict),
    ...decisionView(true, request),
  });
  return {
    response: { ...response, status: after.status, approvalCode: before.approvalCode },
    transaction: after,
    event,
    ...evaluatedIn(event),
    ...settle(event.id, card, before, after, setting),
  };
}
