import { blockedError } from '../../cards/card.ts';
import type { Day } from '../../kernel/calendar.ts';
import type { CardFacts } from './card-facts.ts';
import { APPROVED_NETWORK_CODE, DECLINES, type DeclineReason } from './decline.ts';
import type { AuthorizationRequest } from './message.ts';
import { spendingOn } from './spending.ts';

export interface DecisionFacts {
  card: CardFacts;
  /** Undefined when the request has no CVV. */
  cvvMatches: boolean | undefined;
  /** Bill amount and fees: what an approval takes from the card and the master account. */
  holdMinor: bigint;
  /** Undefined where the program does not enforce it. */
  masterMinor: bigint | undefined;
  /** A reversal of this authorization came before it. */
  reversed: boolean;
}

export type Decision =
  | { approved: true; networkCode: string }
  | { approved: false; reason: DeclineReason; networkCode: string };

type Request = Pick<AuthorizationRequest, 'card' | 'expiry' | 'billAmountMinor' | 'merchant'>;
type Guard = readonly [
  reason: DeclineReason,
  holds: (request: Request, facts: DecisionFacts, today: Day) => boolean,
];

const over = (limit: bigint | null, spentMinor: bigint, addedMinor: bigint): boolean =>
  limit !== null && addedMinor > 0n && spentMinor + addedMinor > limit;

/** In the order of the contract's table; the first that holds decides, and after the last nothing may refuse. */
const GUARDS: readonly Guard[] = [
  [
    'invalid_card_number',
    ({ card }, facts) => card?.numberId !== undefined && card.numberId !== facts.card.numberId,
  ],
  ['card_blocked', (_, { card }) => card.status === 'BLOCKED'],
  ['card_frozen', (_, { card }) => card.status === 'FROZEN'],
  ['card_expired', (_, { card }, today) => card.expiryDate < today],
  [
    'expiry_mismatch',
    ({ expiry }, { card }) => expiry !== undefined && expiry !== card.expiryDate.slice(0, 7),
  ],
  ['cvv_mismatch', (_, { cvvMatches }) => cvvMatches === false],
  [
    'merchant_category_not_allowed',
    ({ merchant: { mcc } }, { card: { allowedMccs, blockedMccs } }) =>
      (allowedMccs.length > 0 && !allowedMccs.includes(mcc)) || blockedMccs.includes(mcc),
  ],
  [
    'transaction_limit',
    ({ billAmountMinor }, { card }) => over(card.transactionLimitMinor, 0n, billAmountMinor),
  ],
  [
    'daily_limit',
    ({ billAmountMinor }, { card }, today) =>
      over(card.dailyLimitMinor, spendingOn(card, today).daySpentMinor, billAmountMinor),
  ],
  [
    'card_limit',
    ({ billAmountMinor }, { card }, today) =>
      over(card.monthlyLimitMinor, spendingOn(card, today).monthSpentMinor, billAmountMinor) ||
      over(card.allTimeLimitMinor, card.totalSpentMinor, billAmountMinor),
  ],
  ['insufficient_funds', (_, { card, holdMinor }) => holdMinor > 0n && holdMinor > card.availableMinor],
  [
    'program_balance',
    (_, { holdMinor, masterMinor }) => masterMinor !== undefined && holdMinor > 0n && holdMinor > masterMinor,
  ],
  ['already_reversed', (_, { reversed }) => reversed],
];

/** Approve or decline: nothing but the arguments takes part, and `today` is the clock. */
export function decide(request: Request, facts: DecisionFacts, today: Day): Decision {
  for (const [reason, holds] of GUARDS) {
    if (!holds(request, facts, today)) continue;
    return { approved: false, reason, networkCode: networkCodeOf(reason, facts.card) };
  }
  return { approved: true, networkCode: APPROVED_NETWORK_CODE };
}

/** The network is told what the merchant is told: a block's reason chooses the code. */
const networkCodeOf = (reason: DeclineReason, card: CardFacts): string =>
  reason === 'card_blocked' ? String(blockedError(card.statusReason).code) : DECLINES[reason].networkCode;
