import { addMonths, addYears, type Day, dayOf, formatTimestamp } from '../kernel/calendar.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import type { CredentialRef } from '../vault/vault.ts';

export type StoredStatus = 'ACTIVE' | 'FROZEN' | 'BLOCKED';
export type CardStatus = StoredStatus | 'EXPIRED';
export type CardType = 'physical' | 'virtual';

/** A card with its active credential. Who holds it is in the vault. */
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
  credentialId: string;
  numberId: string;
  lastFour: string;
  expiryDate: Day;
  cvvKeyId: number;
  cvvSalt: number;
  spendLimitMinor: bigint;
  transactionLimitMinor: bigint | null;
  dailyLimitMinor: bigint | null;
  monthlyLimitMinor: bigint | null;
  allTimeLimitMinor: bigint | null;
  allowedMccs: string[];
  blockedMccs: string[];
  createdAt: Date;
}

/** A card under its lock, with the number of its last event. */
export interface LockedCard extends CardRecord {
  eventSequence: number;
}

/** What the vault keeps for every line of a card list. */
export interface CardHolder {
  cardholderName: string;
  cardName: string;
  externalCustomerId: string;
}

/** A card is good through its expiry date. A blocked card stays blocked whatever the date. */
export function statusOf(card: Pick<CardRecord, 'status' | 'expiryDate'>, today: Day): CardStatus {
  return card.status !== 'BLOCKED' && card.expiryDate < today ? 'EXPIRED' : card.status;
}

/**
 * The reason codes of a block. `word` is the text in a reason from which the code is derived, the first match wins;
 * `code` is what the merchant and the network get for a blocked card.
 */
export const BLOCK_REASONS = {
  FRAUD: { word: 'fraud', code: 59, message: 'Card is blocked for suspected fraud' },
  LOST: { word: 'lost', code: 41, message: 'Card is blocked: lost' },
  STOLEN: { word: 'stolen', code: 43, message: 'Card is blocked: stolen' },
  OTHER: { word: '', code: 62, message: 'Card is blocked' },
} as const;

export type ReasonCode = keyof typeof BLOCK_REASONS;
export const REASON_CODES = Object.keys(BLOCK_REASONS) as ReasonCode[];

/** The code of a block that was requested without one. */
export const deriveReasonCode = (reason: string): ReasonCode =>
  REASON_CODES.find((code) => reason.toLowerCase().includes(BLOCK_REASONS[code].word)) as ReasonCode;

export function blockedError({ reasonCode }: Pick<CardRecord, 'reasonCode'>): EmbossError {
  const { code, message } = BLOCK_REASONS[reasonCode ?? 'OTHER'];
  return new EmbossError(400, message, { code });
}

export const expiredError = (): EmbossError => new EmbossError(400, 'Card is expired', { code: 54 });

/** The status after the call, which may be the one before: freezing is idempotent. */
export function decideFreeze(card: CardRecord, freeze: boolean, today: Day): StoredStatus {
  if (card.status === 'BLOCKED') throw blockedError(card);
  if (statusOf(card, today) === 'EXPIRED') throw expiredError();
  return freeze ? 'FROZEN' : 'ACTIVE';
}

const DEFAULT_EXPIRY_YEARS = 3;

/** At least one calendar month out; the very day counts. */
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

/** The Card of the API, as create and list answer it. */
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

/** What an audit entry tells of a card's state: nothing of the cardholder, nothing secret. */
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

/** What a `card` event tells. Cardholder data are not in it: they are encrypted at rest, events are not. */
export const eventView = (
  card: Pick<
    CardRecord,
    'id' | 'cardType' | 'status' | 'statusReason' | 'lastFour' | 'expiryDate' | 'designId'
  >,
): Record<string, unknown> => ({
  cardId: card.id,
  cardType: card.cardType,
  status: card.status,
  statusReason: card.statusReason,
  lastFour: card.lastFour,
  expiryDate: card.expiryDate,
  cardDesign: card.designId,
});
