import type { Day } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import { blockedError, type CardRecord, defaultExpiry, expiredError, statusOf } from './card.ts';

/** The parts that each option renews. Every option except the first also renews the CVV. */
const OPTIONS = {
  IDENTICAL_TO_THE_CURRENT_CARD: { newNumber: false, expiry: 'same' },
  CALCULATE_NEW_EXPIRY_DATE: { newNumber: false, expiry: 'default' },
  NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE: { newNumber: true, expiry: 'same' },
  NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE: { newNumber: true, expiry: 'default' },
  SAME_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY: { newNumber: false, expiry: 'custom' },
  NEW_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY: { newNumber: true, expiry: 'custom' },
} as const satisfies Record<string, { newNumber: boolean; expiry: 'same' | 'default' | 'custom' }>;

export type RenewOption = keyof typeof OPTIONS;
export const RENEW_OPTIONS = Object.keys(OPTIONS) as RenewOption[];
export const DEFAULT_RENEW_OPTION: RenewOption = 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE';

export interface Renewal {
  /** False: the credential stays, and only another physical card is ordered. */
  newCredential: boolean;
  newNumber: boolean;
  expiryDate: Day;
}

/** Requires an expiry date for options with a custom expiry. The schema has already checked its format. */
export function checkCustomExpiry(option: RenewOption, expiryDate: Day | undefined): void {
  if (OPTIONS[option].expiry === 'custom' && expiryDate === undefined)
    throw invalid('expiryDate', `is required with ${option}`);
}

/**
 * Returns the changes of a reissue, or throws the reason why the card cannot be reissued. The stored status is not among
 * them: a frozen card stays frozen, also if it expired in between.
 */
export function decideRenewal(
  card: CardRecord,
  option: RenewOption,
  custom: Day | undefined,
  today: Day,
): Renewal {
  const { newNumber, expiry } = OPTIONS[option];
  if (card.status === 'BLOCKED') throw blockedError(card);
  if (statusOf(card, today) === 'EXPIRED' && expiry === 'same') throw expiredError();
  return {
    newCredential: option !== 'IDENTICAL_TO_THE_CURRENT_CARD',
    newNumber,
    expiryDate:
      expiry === 'default' ? defaultExpiry(today) : (expiry === 'custom' && custom) || card.expiryDate,
  };
}
