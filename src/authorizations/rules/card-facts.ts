import type { CardType, ReasonCode, StoredStatus } from '../../cards/card.ts';
import type { Day } from '../../kernel/calendar.ts';
import type { Spending } from './spending.ts';

/** The facts of a card for a decision, read under its lock. */
export interface CardFacts extends Spending {
  cardId: string;
  cardType: CardType;
  designId: string;
  credentialId: string;
  numberId: string;
  status: StoredStatus;
  statusReason: string | null;
  reasonCode: ReasonCode | null;
  lastFour: string;
  expiryDate: Day;
  cvvKeyId: number;
  cvvSalt: number;
  transactionLimitMinor: bigint | null;
  dailyLimitMinor: bigint | null;
  monthlyLimitMinor: bigint | null;
  allTimeLimitMinor: bigint | null;
  allowedMccs: string[];
  blockedMccs: string[];
  availableMinor: bigint;
  eventSequence: number;
  /** Consecutive. */
  wrongCvvs: number;
  /** The times of wrong expiry dates and CVVs, oldest first, in the 24 hours before the newest one. */
  wrongEntries: Date[];
}
