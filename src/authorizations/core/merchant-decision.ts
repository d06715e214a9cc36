import type { CardFacts } from '../../cards/card-facts.ts';
import type { DecisionEndpoint, DecisionResponse } from '../../decisions/decision.ts';
import type { Day } from '../../kernel/calendar.ts';
import type { AuthorizationMode, Program } from '../../programs/program.ts';
import type { DeclineReason } from './decline.ts';
import type { MerchantDecision, StandIn } from './message.ts';
import { spendingOn } from './spending.ts';
import type { TransactionRecord } from './transaction.ts';

/** What an approval would add to the card's spending, and whether the card's own credit covers it. */
interface Purchase {
  card: CardFacts;
  totalMinor: bigint;
  addedMinor: bigint;
  usesCredit: boolean;
}

const DECLINED = new Map<string | null, DeclineReason>([
  ['insufficient_funds', 'program_insufficient_funds'],
  ['limit_exceeded', 'program_limit'],
  ['merchant_not_allowed', 'program_merchant'],
  ['suspected_fraud', 'program_fraud'],
]);

const FAILED = {
  timeout: 'decision_timeout',
  unreachable: 'decision_unavailable',
  paused: 'decision_unavailable',
  invalid: 'decision_invalid',
} as const;

/** Why the merchant, or the rule that stands in for it, declines; undefined if it approves. */
export function refusalOf(
  { response: { outcome, reason }, rule }: MerchantDecision,
  purchase: Purchase,
  today: Day,
): DeclineReason | undefined {
  if (outcome === 'approved' || rule === null) return undefined;
  if (outcome === 'declined') return DECLINED.get(reason) ?? 'program_declined';
  const { onFailure, standIn } = rule;
  // Where the merchant keeps the balance of a purchase, `STANDARD` has no funds to decide by.
  if (onFailure === 'STANDARD' && purchase.usesCredit) return undefined;
  return onFailure === 'APPROVE' && isWithin(standIn, purchase, today) ? undefined : FAILED[outcome];
}

/** All spending of the day counts, whether the merchant approved it or not. */
const isWithin = (
  standIn: DecisionEndpoint['standIn'],
  { card, totalMinor, addedMinor }: Purchase,
  today: Day,
): boolean =>
  standIn !== null &&
  totalMinor <= standIn.transactionLimitMinor &&
  spendingOn(card, today).daySpentMinor + addedMinor <= standIn.dailyLimitMinor;

/** The most that may be approved: a merchant that names no amount approves the amount of the request. */
export function offeredOf(decision: MerchantDecision | undefined, requestedMinor: bigint): bigint {
  if (decision?.response.outcome !== 'approved') return requestedMinor;
  return decision.response.approvedMinor ?? decision.amountMinor;
}

const isDecided = ({ outcome }: DecisionResponse): boolean =>
  outcome === 'approved' || outcome === 'declined';

/** The mode of a purchase: the one that it has, or the one in which its decision was requested. */
export function modeOf(
  known: TransactionRecord | undefined,
  decision: MerchantDecision | undefined,
  program: Program,
): AuthorizationMode {
  if (known) return known.authorizationMode;
  if (!decision) return program.authorizationMode;
  return !isDecided(decision.response) && decision.rule?.onFailure === 'STANDARD'
    ? 'STANDARD'
    : decision.mode;
}

/** Who decided, for events: the merchant or its stand-in, the network if it stood in for us, or our own guards. */
export function decisionView(
  approved: boolean,
  {
    standIn,
    merchantDecision,
  }: { standIn?: StandIn | undefined; merchantDecision?: MerchantDecision | undefined },
) {
  const own = {
    source: standIn ? 'network' : 'emboss',
    outcome: approved ? 'approved' : 'declined',
    duration_ms: null,
    reason: standIn?.reason ?? null,
    reference: null,
    metadata: null,
  };
  if (!merchantDecision) return { decision: own };
  const { response } = merchantDecision;
  const { outcome, durationMs, reason, reference, metadata } = response;
  const source = isDecided(response) ? 'merchant' : 'stand_in';
  return { decision: { source, outcome, duration_ms: durationMs, reason, reference, metadata } };
}
