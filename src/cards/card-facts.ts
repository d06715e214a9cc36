import type { Day } from '../kernel/calendar.ts';
import type { CardRecord } from './card.ts';
import type { Used } from './usage.ts';

/** The approved and not reversed amounts: on `day`, in its month, and in the card's lifetime. */
export interface Spending {
  day: Day;
  daySpentMinor: bigint;
  monthSpentMinor: bigint;
  totalSpentMinor: bigint;
}

/** The row that every change of a card locks. */
export interface Counters extends Spending {
  cardId: string;
  eventSequence: number;
  /** Consecutive. */
  wrongCvvs: number;
  /** The times of wrong expiry dates and CVVs, oldest first, in the 24 hours before the newest one. */
  wrongEntries: Date[];
  /** The part of the total that is still held. */
  heldMinor: bigint;
  /** Less what was taken back. */
  refundedMinor: bigint;
  /** When its newest transaction was created, approved or not. */
  lastUsedAt: Date | null;
  used: Used | null;
}

type Fact =
  | 'cardType'
  | 'cardholderId'
  | 'designId'
  | 'credentialId'
  | 'numberId'
  | 'status'
  | 'statusReason'
  | 'reasonCode'
  | 'lastFour'
  | 'expiryDate'
  | 'cvvKeyId'
  | 'cvvSalt'
  | 'transactionLimitMinor'
  | 'dailyLimitMinor'
  | 'monthlyLimitMinor'
  | 'allTimeLimitMinor'
  | 'allowedMccs'
  | 'blockedMccs'
  | 'temporaryLimits'
  | 'usage'
  | 'metadata';

/** The facts of a card for a decision, read under its lock. */
export interface CardFacts extends Counters, Pick<CardRecord, Fact> {
  availableMinor: bigint;
}
