import type { CardType, StoredStatus } from '../../cards/card.ts';
import type { Day } from '../../kernel/calendar.ts';
import type { Spending } from './spending.ts';

/** All that a decision needs to know of a card, read under its lock. */
export interface CardFacts extends Spending {
  cardId: string;
  cardType: CardType;
  designId: string;
  credentialId: string;
  numberId: string;
  status: StoredStatus;
  statusReason: string | null;
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
  /** In a row. */
  wrongCvvs: number;
  /** When wrong expiry dates and CVVs were tried, oldest first: those of the 24 hours before the newest one. */
  wrongEntries: Date[];
}
