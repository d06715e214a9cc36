import { limitsAt } from '../../cards/temporary-limits.ts';
import { lacksAuthentication } from './authentication.ts';
import {
  AMOUNT_REASONS,
  CREDIT_REASONS,
  type Decision,
  type DecisionFacts,
  decide,
  explainDecline,
  isDeclinedBeforeRules,
  largestApproval,
} from './decide.ts';
import { APPROVED_NETWORK_CODE, DECLINES, PARTLY_APPROVED_NETWORK_CODE } from './decline.ts';
import { isReversedEarly, leftAfterReversal } from './early.ts';
import type { Setting } from './effects.ts';
import { judgeByRules, recordedRules, type Verdict } from './judge-by-rules.ts';
import { offeredOf } from './merchant-decision.ts';
import type { AdviceRequest, AuthorizationRequest, StandIn } from './message.ts';
import { uncount } from './spending.ts';
import { heldLess, movesCredit, type TransactionRecord } from './transaction.ts';
import { usageRefusals } from './usage.ts';
import { type AuthorizationFacts, neededOf, wantedPurchase } from './wanted-purchase.ts';

export interface Judgement {
  decision: Decision;
  /** The purchase as it is if approved. */
  wanted: TransactionRecord;
  limits: ReturnType<typeof explainDecline>;
  /** Undefined: no rule was evaluated. */
  verdict?: Verdict | undefined;
}

/**
 * By our own guards and the merchant. If only the amount is too high, a smaller one may be approved; the merchant may
 * approve a smaller one too.
 */
export function judgeAuthorization(
  request: AuthorizationRequest | AdviceRequest,
  facts: AuthorizationFacts,
  setting: Setting,
): Judgement {
  if (request.kind === 'advice') return judgeAdvice(request, facts, setting);
  const { today, program } = setting;
  const { merchantDecision, billAmountMinor } = request;
  if (request.type === 'CREDIT') {
    const wanted = wantedPurchase(request, billAmountMinor, facts, setting);
    const creditFacts = decisionFacts(request, wanted, facts, setting);
    const decision = decide(request, creditFacts, today, CREDIT_REASONS);
    return decision.approved
      ? { decision, limits: null, ...recorded(request, wanted, facts, setting) }
      : { decision, wanted, limits: null };
  }
  const offeredMinor = offeredOf(merchantDecision, billAmountMinor);
  const unjudged = wantedPurchase(request, offeredMinor, facts, setting);
  // The rules see what was requested, also where the merchant approves a part.
  const asked =
    offeredMinor === billAmountMinor ? unjudged : wantedPurchase(request, billAmountMinor, facts, setting);
  const verdict = verdictOf(request, asked, facts, setting);
  const rules = recordedRules(verdict);
  const whole = rules ? { ...unjudged, rules } : unjudged;
  const wholeFacts = decisionFacts(request, whole, facts, setting, verdict);
  const decision = decide(request, wholeFacts, today);
  if (decision.approved) {
    const networkCode = offeredMinor < billAmountMinor ? PARTLY_APPROVED_NETWORK_CODE : decision.networkCode;
    return { decision: { ...decision, networkCode }, wanted: whole, limits: null, verdict };
  }
  const limits = explainDecline(decision.reason, wholeFacts, today, program.currency);
  if (!request.partialApproval || !AMOUNT_REASONS.includes(decision.reason))
    return { decision, wanted: whole, limits, verdict };
  const clearedMinor = wholeFacts.totalMinor - wholeFacts.addedMinor;
  const part = (addedMinor: bigint) => ({
    ...wantedPurchase(request, clearedMinor + addedMinor, facts, setting),
    rules,
  });
  const neededFor = (addedMinor: bigint) => neededOf(part(addedMinor), facts.cleared);
  const largestMinor = largestApproval(wholeFacts, today, neededFor);
  if (largestMinor === 0n) return { decision, wanted: whole, limits, verdict };
  const wanted = part(largestMinor);
  const partly = decide(request, decisionFacts(request, wanted, facts, setting, verdict), today);
  return partly.approved
    ? { decision: { ...partly, networkCode: PARTLY_APPROVED_NETWORK_CODE }, wanted, limits: null, verdict }
    : { decision: partly, wanted: whole, limits: null, verdict };
}

/** What the rules say, unless a guard before them declines. Without rules this costs one branch. */
function verdictOf(
  request: AuthorizationRequest,
  wanted: TransactionRecord,
  facts: AuthorizationFacts,
  setting: Setting,
): Verdict | undefined {
  if (!setting.rules) return undefined;
  if (isDeclinedBeforeRules(request, decisionFacts(request, wanted, facts, setting), setting.today))
    return undefined;
  return judgeByRules(request, wanted, facts.card, setting, { isAdvice: false, before: facts.cleared });
}

/** By the network, which stood in for us: no guard applies. What was reversed first is not held. */
function judgeAdvice(request: AdviceRequest, facts: AuthorizationFacts, setting: Setting): Judgement {
  const purchase = wantedPurchase(request, request.billAmountMinor, facts, setting);
  const reversedMinor = purchase.heldMinor - leftAfterReversal(facts.early, purchase.heldMinor);
  const held = { ...heldLess(purchase, reversedMinor), counted: uncount(purchase.counted, reversedMinor) };
  const wanted = reversedMinor > 0n ? { ...purchase, ...held } : purchase;
  return { decision: adviceDecision(request), limits: null, ...recorded(request, wanted, facts, setting) };
}

/** Rules decide neither an advice nor a credit: what they say is only recorded. */
function recorded(
  request: AuthorizationRequest | AdviceRequest,
  wanted: TransactionRecord,
  { card, cleared: before }: AuthorizationFacts,
  setting: Setting,
): Pick<Judgement, 'wanted' | 'verdict'> {
  const isAdvice = request.kind === 'advice';
  const verdict = judgeByRules(request, wanted, card, setting, { isAdvice, before });
  const rules = recordedRules(verdict);
  return { verdict, wanted: rules ? { ...wanted, rules } : wanted };
}

export const adviceDecision = ({ standIn }: { standIn: Pick<StandIn, 'approved'> }): Decision =>
  standIn.approved
    ? { approved: true, networkCode: APPROVED_NETWORK_CODE }
    : {
        approved: false,
        reason: 'stand_in_declined',
        networkCode: DECLINES.stand_in_declined.networkCode,
      };

const decisionFacts = (
  request: AuthorizationRequest,
  wanted: TransactionRecord,
  { card, cvvMatches, masterMinor, early, cleared }: AuthorizationFacts,
  { program, nowMs }: Setting,
  verdict?: Verdict,
): DecisionFacts => ({
  card: limitsAt(card, nowMs),
  cvvMatches,
  usageRefusals: usageRefusals(card, wanted, cleared, nowMs),
  // By the requested amount, also where a part of it may be approved.
  lacksAuthentication: lacksAuthentication(program, request, wanted.authentication),
  verdict,
  masterMinor,
  reversed: isReversedEarly(early),
  totalMinor: wanted.billAmountMinor,
  addedMinor: wanted.heldMinor,
  neededMinor: neededOf(wanted, cleared),
  usesCredit: movesCredit(wanted),
  closed: false,
  merchantDecision: request.merchantDecision,
});
