import { BLOCK_REASONS } from '../../cards/card.ts';
import type { CardFacts } from '../../cards/card-facts.ts';
import type { Day } from '../../kernel/calendar.ts';
import { APPROVED_NETWORK_CODE, DECLINES, type DeclineReason } from './decline.ts';
import type { AuthorizationRequest } from './message.ts';
import { spendingOn } from './spending.ts';

export interface DecisionFacts {
  card: CardFacts;
  /** Undefined when the request has no CVV. */
  cvvMatches: boolean | undefined;
  /** Bill amount and fees, which an approval takes from the card and the master account. */
  holdMinor: bigint;
  /** Undefined if the program does not enforce it. */
  masterMinor: bigint | undefined;
  /** A reversal of this authorization arrived before it. */
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

/** The first guard that holds decides. No later step may decline. */
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

/** The reasons of all guards before the one with this reason. */
export function reasonsBefore(reason: DeclineReason): DeclineReason[] {
  const order = GUARDS.map(([own]) => own);
  return order.slice(0, order.indexOf(reason));
}

/** Approves or declines by its arguments alone. `today` replaces the clock. */
export function decide(request: Request, facts: DecisionFacts, today: Day): Decision {
  for (const [reason, holds] of GUARDS) {
    if (!holds(request, facts, today)) continue;
    return { approved: false, reason, networkCode: networkCodeOf(reason, facts.card) };
  }
  return { approved: true, networkCode: APPROVED_NETWORK_CODE };
}

/** For a blocked card, the network gets the code of the block reason, which the merchant sees on the card. */
const networkCodeOf = (reason: DeclineReason, card: CardFacts): string =>
  reason === 'card_blocked'
    ? String(BLOCK_REASONS[card.reasonCode ?? 'OTHER'].code)
    : DECLINES[reason].networkCode;
