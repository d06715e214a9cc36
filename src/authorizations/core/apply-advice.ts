import { withNewer } from '../../cards/network-data.ts';
import { newApprovalCode, respond, usedBy } from './apply-authorization.ts';
import { release } from './apply-reversal.ts';
import { type Early, leftAfterReversal } from './early.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import { authorizedFlags } from './flags.ts';
import { adviceDecision } from './judge-authorization.ts';
import { evaluatedBy, judgeByRules, recordedRules, rulesView } from './judge-by-rules.ts';
import { purchaseMark } from './marks.ts';
import { decisionView } from './merchant-decision.ts';
import type { AdviceRequest } from './message.ts';
import { atmFeeOf, fillOrigin } from './new-transaction.ts';
import type { DecidedResponse } from './response.ts';
import { settle } from './settle.ts';
import { countOn, spendingOn, uncount } from './spending.ts';
import {
  declineView,
  feesOf,
  lessFees,
  NOT_DECLINED,
  settledStatus,
  type TransactionRecord,
} from './transaction.ts';
import { type AuthorizationFacts, amountLeft, authenticationOf } from './wanted-purchase.ts';

interface AdvisedFacts extends Pick<AuthorizationFacts, 'card' | 'authentication' | 'authenticationShares'> {
  transaction: TransactionRecord;
  /** What arrived before the authorization, while neither that nor another advice has arrived. */
  early: Early | null;
}

/**
 * The network's last word on a purchase that we know, whatever we had answered: what it approved is held, less what has
 * cleared; what is still held of a declined one is released.
 */
export function applyAdvice(
  request: AdviceRequest,
  facts: AdvisedFacts,
  setting: Setting,
): Effects<DecidedResponse> {
  const { card, transaction: before, early } = facts;
  const decision = adviceDecision(request);
  const { networkCode } = decision;
  const type = before.type ?? request.type;
  const known = {
    ...before,
    ...fillOrigin(before, request),
    // A clearing came first, and did not say whether it was cash. A credit costs no fee.
    atmFeeMinor:
      before.channel === null && before.kind === 'purchase'
        ? atmFeeOf(setting.program, { channel: request.channel, type })
        : before.atmFeeMinor,
    network: withNewer(before.network, request.network),
    authentication:
      authenticationOf(request, { ...facts, cleared: before }, setting) ?? before.authentication,
    type,
    advised: true,
    networkCode,
    increments: before.increments.map((increment) => ({ ...increment, advised: true })),
  };
  const verdict = judgeByRules(request, known, card, setting, { isAdvice: true, before });
  const judged = { ...known, rules: before.rules ?? recordedRules(verdict) };
  const transaction = decision.approved
    ? approved(request, judged, { card, early }, setting)
    : declined(judged, decision.reason);
  const name = decision.approved ? 'authorization' : 'authorization.declined';
  const fees = decision.approved
    ? lessFees(feesOf(transaction), feesOf(before))
    : lessFees(feesOf(before), feesOf(transaction));
  const more = {
    ...(!decision.approved && {
      ...declineView({ declineReason: decision.reason }),
      network_code: networkCode,
    }),
    ...rulesView(verdict),
    ...decisionView(decision.approved, request),
    ...(!decision.approved && { limits: null }),
  };
  const event = newEvent(name, setting, transaction, request, fees, more);
  return {
    response: respond(request, transaction, decision),
    transaction,
    event,
    ...evaluatedBy(verdict, event, transaction, {
      approved: decision.approved,
      amountMinor: request.billAmountMinor,
    }),
    ...(decision.approved && request.authentication && usedBy(transaction)),
    ...settle(event.id, card, before, transaction, setting),
  };
}

function approved(
  request: AdviceRequest,
  before: TransactionRecord,
  { card, early }: Pick<AdvisedFacts, 'card' | 'early'>,
  setting: Setting,
): TransactionRecord {
  const { today, nowMs } = setting;
  const { amountMinor, billAmountMinor, currency, standIn } = request;
  const { day } = spendingOn(card, today);
  const wanted = {
    ...before,
    amountMinor,
    billAmountMinor,
    currency,
    declineReason: null,
    approvalCode: standIn.approvalCode ?? before.approvalCode ?? newApprovalCode(),
    approvedOn: before.approvedOn ?? day,
    renewedAt: new Date(nowMs),
    holdEnd: null,
    flags: authorizedFlags(before.flags),
  };
  if (before.kind === 'refund')
    return {
      ...wanted,
      status: before.clearedMinor > 0n ? 'CLEARED' : billAmountMinor > 0n ? 'PENDING' : 'VOID',
    };
  const openMinor = billAmountMinor - before.clearedMinor;
  const heldMinor = before.final || openMinor < 0n ? 0n : leftAfterReversal(early, openMinor);
  const moreMinor = heldMinor - before.heldMinor;
  // A first approval has a time from which later clearings count, also where nothing is held any more.
  const isCounted = moreMinor > 0n || before.approvedOn === null;
  const mark = isCounted ? purchaseMark(request, before, card, setting, before.counted) : undefined;
  const counted =
    moreMinor < 0n ? uncount(before.counted, -moreMinor) : countOn(before.counted, day, moreMinor, mark);
  const after = { ...wanted, heldMinor, heldAmountMinor: amountLeft(before, wanted, heldMinor), counted };
  return { ...after, status: settledStatus(after) };
}

function declined(
  before: TransactionRecord,
  declineReason: TransactionRecord['declineReason'],
): TransactionRecord {
  const after = { ...release(before, before.heldMinor), approvalCode: null };
  return after.clearedMinor > 0n
    ? { ...after, ...NOT_DECLINED }
    : { ...after, declineReason, status: 'DECLINED', approvedOn: null };
}
