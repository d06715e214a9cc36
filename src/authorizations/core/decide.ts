import { BLOCK_REASONS } from '../../cards/card.ts';
import type { CardFacts } from '../../cards/card-facts.ts';
import type { Acceptor } from '../../cards/read-network.ts';
import type { Day } from '../../kernel/calendar.ts';
import { formatAmount } from '../../kernel/money.ts';
import type { RuleVerdict } from '../../rules/judge-rules.ts';
import { RULE_NETWORK_CODES } from '../../rules/rule.ts';
import { APPROVED_NETWORK_CODE, DECLINES, type DeclineReason } from './decline.ts';
import { refusalOf } from './merchant-decision.ts';
import type { CardReference, MerchantDecision } from './message.ts';
import { type LimitUse, resetOf, USES } from './spend-limits.ts';
import type { UsageRefusal } from './usage.ts';

export interface DecisionFacts {
  card: CardFacts;
  /** Undefined when the request has no CVV. */
  cvvMatches: boolean | undefined;
  /** Why the rule of the card's usage declines it. */
  usageRefusals: readonly UsageRefusal[];
  /** The program requires an authentication, or the merchant approved because of one, and none counts. */
  lacksAuthentication: boolean;
  /** What the rules of the program say. Undefined: none were evaluated. */
  verdict: Pick<RuleVerdict, 'decisive'> | undefined;
  /** The bill amount of the purchase, and the part of it that an approval adds to what counts in the limits. */
  totalMinor: bigint;
  addedMinor: bigint;
  /** Bill amount and fees, which an approval takes from the card and the master account. */
  neededMinor: bigint;
  /** Whether the card's own credit must cover it. */
  usesCredit: boolean;
  /** Undefined if the program does not enforce it. */
  masterMinor: bigint | undefined;
  /** A reversal of this authorization arrived before it. */
  reversed: boolean;
  /** The message raises a hold that is not open any more. */
  closed: boolean;
  /** Undefined if none was requested. */
  merchantDecision: MerchantDecision | undefined;
}

export type Decision =
  | { approved: true; networkCode: string }
  | { approved: false; reason: DeclineReason; networkCode: string };

interface Request {
  card: CardReference | undefined;
  expiry: string | undefined;
  acceptor: Pick<Acceptor, 'mcc'> | null;
}
type Guard = readonly [
  reason: DeclineReason,
  holds: (request: Request, facts: DecisionFacts, today: Day) => boolean,
];

/** Each limit with its value, and what it counts already. */
const LIMITS = {
  transactionLimit: ({ card, totalMinor, addedMinor }: DecisionFacts): LimitUse => [
    card.transactionLimitMinor,
    totalMinor - addedMinor,
  ],
  dailyLimit: ({ card }: DecisionFacts, today: Day) => USES.dailyLimit(card, today),
  monthlyLimit: ({ card }: DecisionFacts, today: Day) => USES.monthlyLimit(card, today),
  allTimeLimit: ({ card }: DecisionFacts, today: Day) => USES.allTimeLimit(card, today),
};
type LimitName = keyof typeof LIMITS;

function isOver(name: LimitName, facts: DecisionFacts, today: Day): boolean {
  const [limitMinor, usedMinor] = LIMITS[name](facts, today);
  return limitMinor !== null && facts.addedMinor > 0n && usedMinor + facts.addedMinor > limitMinor;
}

/** The first guard that holds decides. After them only the merchant may decline. */
const GUARDS: readonly Guard[] = [
  // Also by a number that the card had before.
  ['card_blocked', (_, { card }) => card.status === 'BLOCKED'],
  [
    'invalid_card_number',
    ({ card }, facts) => card?.numberId !== undefined && card.numberId !== facts.card.numberId,
  ],
  ['card_frozen', (_, { card }) => card.status === 'FROZEN'],
  ['card_expired', (_, { card }, today) => card.expiryDate < today],
  [
    'expiry_mismatch',
    ({ expiry }, { card }) => expiry !== undefined && expiry !== card.expiryDate.slice(0, 7),
  ],
  ['cvv_mismatch', (_, { cvvMatches }) => cvvMatches === false],
  ['card_not_valid_now', (_, { usageRefusals }) => usageRefusals.includes('card_not_valid_now')],
  ['card_used', (_, { usageRefusals }) => usageRefusals.includes('card_used')],
  ['merchant_locked', (_, { usageRefusals }) => usageRefusals.includes('merchant_locked')],
  [
    'merchant_category_not_allowed',
    ({ acceptor }, { card: { allowedMccs, blockedMccs } }) => {
      const mcc = acceptor?.mcc ?? '';
      return (allowedMccs.length > 0 && !allowedMccs.includes(mcc)) || blockedMccs.includes(mcc);
    },
  ],
  ['rule_declined', (_, { verdict }) => verdict?.decisive?.effect === 'DECLINED'],
  // Before the amounts: a smaller amount must not be approved instead.
  [
    'authentication_required',
    (_, { lacksAuthentication, verdict }) =>
      lacksAuthentication || verdict?.decisive?.effect === 'AUTHENTICATION_REQUIRED',
  ],
  ['transaction_limit', (_, facts, today) => isOver('transactionLimit', facts, today)],
  ['daily_limit', (_, facts, today) => isOver('dailyLimit', facts, today)],
  [
    'card_limit',
    (_, facts, today) => isOver('monthlyLimit', facts, today) || isOver('allTimeLimit', facts, today),
  ],
  [
    'insufficient_funds',
    (_, { card, usesCredit, neededMinor }) =>
      usesCredit && neededMinor > 0n && neededMinor > card.availableMinor,
  ],
  [
    'program_balance',
    (_, { neededMinor, masterMinor }) =>
      masterMinor !== undefined && neededMinor > 0n && neededMinor > masterMinor,
  ],
  ['already_reversed', (_, { reversed }) => reversed],
  ['hold_closed', (_, { closed }) => closed],
];

/** The reasons of all guards before the one with this reason. */
export function reasonsBefore(reason: DeclineReason): DeclineReason[] {
  const order = GUARDS.map(([own]) => own);
  return order.slice(0, order.indexOf(reason));
}

const BEFORE_RULES = GUARDS.slice(
  0,
  GUARDS.findIndex(([reason]) => reason === 'rule_declined'),
);

/** Whether a guard before the rules declines: then no rule is evaluated. */
export const isDeclinedBeforeRules = (request: Request, facts: DecisionFacts, today: Day): boolean =>
  BEFORE_RULES.some(([, holds]) => holds(request, facts, today));

/** The guards of a credit, which takes nothing from the card. */
export const CREDIT_REASONS: readonly DeclineReason[] = ['card_blocked', 'card_expired', 'already_reversed'];

/** Approves or declines by its arguments alone. `today` replaces the clock. Without `reasons`, every guard applies. */
export function decide(
  request: Request,
  facts: DecisionFacts,
  today: Day,
  reasons?: readonly DeclineReason[],
): Decision {
  for (const [reason, holds] of GUARDS) {
    if ((reasons && !reasons.includes(reason)) || !holds(request, facts, today)) continue;
    return { approved: false, reason, networkCode: networkCodeOf(reason, facts) };
  }
  const refusal = facts.merchantDecision && refusalOf(facts.merchantDecision, facts, today);
  if (refusal) return { approved: false, reason: refusal, networkCode: DECLINES[refusal].networkCode };
  return { approved: true, networkCode: APPROVED_NETWORK_CODE };
}

/**
 * For a blocked card, the network gets the code of the block reason, which the merchant sees on the card; for a rule, that
 * of the rule's reason.
 */
function networkCodeOf(reason: DeclineReason, { card, verdict }: DecisionFacts): string {
  if (reason === 'card_blocked') return String(BLOCK_REASONS[card.reasonCode ?? 'OTHER'].code);
  if (reason === 'rule_declined')
    return RULE_NETWORK_CODES[verdict?.decisive?.rule.reason ?? 'NOT_PERMITTED'];
  return DECLINES[reason].networkCode;
}

/** Declines for which a smaller amount may be approved. */
export const AMOUNT_REASONS: readonly DeclineReason[] = [
  'transaction_limit',
  'daily_limit',
  'card_limit',
  'insufficient_funds',
  'program_balance',
];

/** The largest amount that can be added within all limits and balances; `neededFor` includes its fees. 0: nothing. */
export function largestApproval(
  facts: DecisionFacts,
  today: Day,
  neededFor: (addedMinor: bigint) => bigint,
): bigint {
  const rooms = Object.values(LIMITS).flatMap((read) => {
    const [limitMinor, usedMinor] = read(facts, today);
    return limitMinor === null ? [] : [limitMinor - usedMinor];
  });
  const { card, usesCredit, masterMinor } = facts;
  const balances = [
    ...(usesCredit ? [card.availableMinor] : []),
    ...(masterMinor === undefined ? [] : [masterMinor]),
  ];
  // What needs no money fits, also on a card below zero.
  const isCovered = (neededMinor: bigint) =>
    neededMinor <= 0n || balances.every((balanceMinor) => neededMinor <= balanceMinor);
  let most = rooms.reduce(least, facts.addedMinor);
  // The fees grow with the amount, so halving finds the largest amount that fits.
  let fits = 0n;
  while (fits < most) {
    const middle = (fits + most + 1n) / 2n;
    if (isCovered(neededFor(middle))) fits = middle;
    else most = middle - 1n;
  }
  return fits;
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

const REASON_LIMITS: Partial<Record<DeclineReason, readonly LimitName[]>> = {
  transaction_limit: ['transactionLimit'],
  daily_limit: ['dailyLimit'],
  card_limit: ['monthlyLimit', 'allTimeLimit'],
};

/** The numbers behind a decline by a limit or by funds; null for other declines. */
export function explainDecline(reason: DeclineReason, facts: DecisionFacts, today: Day, currency: string) {
  const money = (minor: bigint) => formatAmount(minor, currency);
  const limit = REASON_LIMITS[reason]?.find((name) => isOver(name, facts, today));
  if (limit) {
    const [limitMinor, usedMinor] = LIMITS[limit](facts, today);
    return {
      limit,
      value: money(limitMinor as bigint),
      spent: money(usedMinor),
      resets_at: resetOf(limit, today),
    };
  }
  const { card, masterMinor, neededMinor } = facts;
  if (reason === 'insufficient_funds')
    return { available: money(card.availableMinor), needed: money(neededMinor) };
  if (reason === 'program_balance')
    return { available: money(masterMinor as bigint), needed: money(neededMinor) };
  return null;
}
