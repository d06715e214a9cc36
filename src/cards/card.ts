import { addMonths, addYears, type Day, dayOf, formatTimestamp } from '../kernel/calendar.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import type { Metadata } from '../kernel/metadata.ts';
import type { CredentialRef } from '../vault/vault.ts';
import type { TemporaryLimits } from './temporary-limits.ts';
import type { UsageRule, Used } from './usage.ts';

export type StoredStatus = 'ACTIVE' | 'FROZEN' | 'BLOCKED';
export type CardStatus = StoredStatus | 'EXPIRED';
export type CardType = 'physical' | 'virtual';

/** A card with its active credential. The cardholder's data are in the vault. */
export interface CardRecord {
  programId: string;
  id: string;
  cardholderId: string;
  customerType: 'Consumer' | 'Business';
  cardType: CardType;
  designId: string;
  currency: string;
  status: StoredStatus;
  statusReason: string | null;
  reasonCode: ReasonCode | null;
  /** Frozen together with the customer's other cards. False on an active card. */
  frozenWithCustomer: boolean;
  credentialId: string;
  numberId: string;
  lastFour: string;
  expiryDate: Day;
  /** The expiry date of the next `card.expired`; null if that was recorded. */
  expiryEventDue: Day | null;
  cvvKeyId: number;
  cvvSalt: number;
  spendLimitMinor: bigint;
  transactionLimitMinor: bigint | null;
  dailyLimitMinor: bigint | null;
  monthlyLimitMinor: bigint | null;
  allTimeLimitMinor: bigint | null;
  allowedMccs: string[];
  blockedMccs: string[];
  temporaryLimits: TemporaryLimits;
  /** Null: it may be used for anything. */
  usage: UsageRule | null;
  metadata: Metadata | null;
  /** Challenges of 3-D Secure go to the merchant, whose app asks the cardholder. */
  threeDsForwarding: boolean;
  /** The blocked card in whose place this one was issued. */
  replacesCardId: string | null;
  createdAt: Date;
}

/** A locked card, with the sequence number of its last event, the times of wrong expiry dates and CVVs, and what was used. */
export interface LockedCard extends CardRecord {
  eventSequence: number;
  wrongEntries: Date[];
  used: Used | null;
}

/** The vault record `holder`: the cardholder's data that card lists show. */
export interface CardHolder {
  cardholderName: string;
  cardName: string;
  externalCustomerId: string;
}

/** A card is valid through its expiry date. A blocked card stays blocked after that date. */
export function statusOf(card: Pick<CardRecord, 'status' | 'expiryDate'>, today: Day): CardStatus {
  return card.status !== 'BLOCKED' && card.expiryDate < today ? 'EXPIRED' : card.status;
}

/** The card has passed an expiry date for which no event was recorded yet. */
export const isExpiryEventDue = (
  { expiryEventDue }: Pick<CardRecord, 'expiryEventDue'>,
  today: Day,
): boolean => expiryEventDue !== null && expiryEventDue < today;

/**
 * The reason codes of a block. For a block without a code, the first `word` that its reason contains decides. The
 * merchant and the network get `code` for a blocked card.
 */
export const BLOCK_REASONS = {
  FRAUD: { word: 'fraud', code: 59, message: 'Card is blocked for suspected fraud' },
  LOST: { word: 'lost', code: 41, message: 'Card is blocked: lost' },
  STOLEN: { word: 'stolen', code: 43, message: 'Card is blocked: stolen' },
  OTHER: { word: '', code: 62, message: 'Card is blocked' },
} as const;

export type ReasonCode = keyof typeof BLOCK_REASONS;
export const REASON_CODES = Object.keys(BLOCK_REASONS) as ReasonCode[];

/** The reason code of a block that was requested without one. */
export const deriveReasonCode = (reason: string): ReasonCode =>
  REASON_CODES.find((code) => reason.toLowerCase().includes(BLOCK_REASONS[code].word)) as ReasonCode;

export function blockedError({ reasonCode }: Pick<CardRecord, 'reasonCode'>): EmbossError {
  const { code, message } = BLOCK_REASONS[reasonCode ?? 'OTHER'];
  return new EmbossError(400, message, { code });
}

export const expiredError = (): EmbossError => new EmbossError(400, 'Card is expired', { code: 54 });

/** Refusals because of the card's state; their codes differ from the HTTP status. */
export const UNUSABLE_CARD: Array<[code: number, message: string]> = [
  ...Object.values(BLOCK_REASONS).map(({ code, message }): [number, string] => [code, message]),
  [54, 'Card is expired'],
];

/** A blocked or expired card can be neither frozen nor shown to its holder. */
export const isUsable = (card: CardRecord, today: Day): boolean =>
  !['BLOCKED', 'EXPIRED'].includes(statusOf(card, today));

export function requireUsable(card: CardRecord, today: Day): void {
  if (!isUsable(card, today)) throw card.status === 'BLOCKED' ? blockedError(card) : expiredError();
}

/** Returns the status after the call. Freezing is idempotent, so the status may be unchanged. */
export function decideFreeze(card: CardRecord, freeze: boolean, today: Day): StoredStatus {
  requireUsable(card, today);
  return freeze ? 'FROZEN' : 'ACTIVE';
}

/**
 * What a freeze of the customer changes on a card; null: nothing. A card that was frozen by itself stays frozen, and a
 * blocked or expired one stays as it is.
 */
export function decideCustomerFreeze(
  card: CardRecord,
  freeze: boolean,
  today: Day,
): Pick<CardRecord, 'status' | 'frozenWithCustomer'> | null {
  if (!isUsable(card, today)) return null;
  if (freeze) return card.status === 'ACTIVE' ? { status: 'FROZEN', frozenWithCustomer: true } : null;
  return card.frozenWithCustomer ? { status: 'ACTIVE', frozenWithCustomer: false } : null;
}

const DEFAULT_EXPIRY_YEARS = 3;

/** The earliest allowed date is one calendar month after today. */
export function checkExpiryDate(field: string, expiryDate: Day, today: Day): void {
  const earliest = addMonths(today, 1);
  if (expiryDate < earliest) throw invalid(field, 'must be at least one month from today');
}

export const defaultExpiry = (today: Day): Day => addYears(today, DEFAULT_EXPIRY_YEARS);

export const credentialRef = (card: CardRecord): CredentialRef => ({
  programId: card.programId,
  cardId: card.id,
  numberId: card.numberId,
  expiryDate: card.expiryDate,
  cvvKeyId: card.cvvKeyId,
  cvvSalt: card.cvvSalt,
});

/** The `Card` of the API, as create and list return it. */
export function presentCard(card: CardRecord, holder: CardHolder, nowMs: number) {
  return {
    id: card.id,
    currency: card.currency,
    lastFour: card.lastFour,
    externalCustomerId: holder.externalCustomerId,
    cardholderName: holder.cardholderName,
    cardName: holder.cardName,
    cardDesign: card.designId,
    cardType: card.cardType,
    status: statusOf(card, dayOf(nowMs)),
    created: formatTimestamp(card.createdAt),
  };
}
export type PresentedCard = ReturnType<typeof presentCard>;

/** The card's state in an audit entry. It contains no cardholder data and no secrets. */
export const auditView = (
  card: Pick<
    CardRecord,
    'status' | 'statusReason' | 'reasonCode' | 'credentialId' | 'lastFour' | 'expiryDate' | 'designId'
  >,
): Record<string, unknown> => ({
  status: card.status,
  statusReason: card.statusReason,
  reasonCode: card.reasonCode,
  credentialId: card.credentialId,
  lastFour: card.lastFour,
  expiryDate: card.expiryDate,
  cardDesign: card.designId,
});

/** The data of a `card` event. It contains no cardholder data: they are encrypted at rest, events are not. */
export const eventView = (
  card: Pick<
    CardRecord,
    'id' | 'cardType' | 'status' | 'statusReason' | 'lastFour' | 'expiryDate' | 'designId' | 'metadata'
  >,
): Record<string, unknown> => ({
  cardId: card.id,
  cardType: card.cardType,
  status: card.status,
  statusReason: card.statusReason,
  lastFour: card.lastFour,
  expiryDate: card.expiryDate,
  cardDesign: card.designId,
  metadata: card.metadata ?? {},
});
