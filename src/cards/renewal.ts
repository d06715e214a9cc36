import type { Day } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import {
  blockedError,
  type CardRecord,
  defaultExpiry,
  expiredError,
  type StoredStatus,
  statusOf,
} from './card.ts';

/** What each renewal option renews. The CVV is new whenever anything is. */
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
  /** False: the credential stays, and only another plastic is ordered. */
  newCredential: boolean;
  newNumber: boolean;
  expiryDate: Day;
  status: StoredStatus;
}

/** Missing here means: needed by the option. Whatever was given was already checked as a date. */
export function checkCustomExpiry(option: RenewOption, expiryDate: Day | undefined): void {
  if (OPTIONS[option].expiry === 'custom' && expiryDate === undefined)
    throw invalid('expiryDate', `is required with ${option}`);
}

/** What a reissue will do to this card, or why it must not. */
export function decideRenewal(
  card: CardRecord,
  option: RenewOption,
  custom: Day | undefined,
  today: Day,
): Renewal {
  const { newNumber, expiry } = OPTIONS[option];
  if (card.status === 'BLOCKED') throw blockedError(card);
  const expired = statusOf(card, today) === 'EXPIRED';
  if (expired && expiry === 'same') throw expiredError();
  return {
    newCredential: option !== 'IDENTICAL_TO_THE_CURRENT_CARD',
    newNumber,
    expiryDate:
      expiry === 'default' ? defaultExpiry(today) : (expiry === 'custom' && custom) || card.expiryDate,
    // A reissue revives an expired card; otherwise it leaves a frozen card frozen.
    status: expired ? 'ACTIVE' : card.status,
  };
}
