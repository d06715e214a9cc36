import { type CardRecord, statusOf } from '../cards/card.ts';
import type { MerchantAnswer } from '../decisions/decision.ts';
import { type Day, formatTimestamp } from '../kernel/calendar.ts';
import { formatAmount } from '../kernel/money.ts';
import type { Program } from '../programs/program.ts';

export const PURPOSES = ['3ds', 'wallet'] as const;
export type Purpose = (typeof PURPOSES)[number];
export const DEVICE_CHANNELS = ['BROWSER', 'APP', 'MERCHANT'] as const;
export const CATEGORIES = ['PAYMENT', 'NON_PAYMENT'] as const;
export const CHALLENGES = ['NO_PREFERENCE', 'WANTED', 'MANDATED', 'NOT_WANTED'] as const;
export const STATUSES = ['AUTHENTICATED', 'CHALLENGE', 'REJECTED', 'UNAVAILABLE'] as const;
export const TRANS_STATUSES = ['Y', 'C', 'N', 'R', 'U'] as const;
export const METHODS = ['OTP', 'OUT_OF_BAND'] as const;

/** Why an authentication did not succeed. */
export const REASONS = [
  'unknown_card',
  'card_blocked',
  'card_frozen',
  'card_expired',
  'expiry_mismatch',
  'too_many_attempts',
  'declined_by_program',
  'no_channel',
  'send_failed',
  'otp_wrong',
  'not_approved',
  'cancelled',
  'expired',
] as const;
export type Reason = (typeof REASONS)[number];
/** For the metric. */
export const AUTHENTICATION_OUTCOMES = ['authenticated', ...REASONS];

/** A challenge lives this long, in real time, and so does each code. */
export const CHALLENGE_MS = 300_000;
export const MOST_ATTEMPTS = 3;
export const MOST_SENDS = 3;
/** Wrong codes per card within an hour, over all its authentications. */
export const MOST_WRONG = 10;
export const WRONG_WINDOW_MS = 3_600_000;

export interface AuthenticationMerchant {
  id: string;
  name: string | null;
  mcc: string;
  /** Alpha-3. */
  country: string | null;
}

/** What the network asks for. Merchant, amount and the three wishes are null for a wallet, `wallet` for 3-D Secure. */
export interface AuthenticationRequest {
  purpose: Purpose;
  authenticationId: string;
  requestDigest: Buffer;
  merchant: AuthenticationMerchant | null;
  amountMinor: bigint | null;
  currency: string | null;
  deviceChannel: (typeof DEVICE_CHANNELS)[number] | null;
  category: (typeof CATEGORIES)[number] | null;
  challenge: (typeof CHALLENGES)[number] | null;
  wallet: string | null;
}

export interface Verdict {
  status: (typeof STATUSES)[number];
  transStatus: (typeof TRANS_STATUSES)[number];
  reason: Reason | null;
  method: (typeof METHODS)[number] | null;
}

/** `…At` without another word is real time; `createdAt` is program time. */
export interface Authentication extends AuthenticationRequest, Verdict {
  programId: string;
  id: string;
  /** Null for a number that is not a card of the program. */
  cardId: string | null;
  reference: string | null;
  otpDigest: Buffer | null;
  wrongAttempts: number;
  sends: number;
  sendStartedAt: Date | null;
  sentAt: Date | null;
  expiresAt: Date | null;
  completedAt: Date | null;
  usedBy: string | null;
  createdAt: Date;
  createdReal: Date;
}

/** An authentication of a known card. */
export type CardAuthentication = Authentication & { cardId: string };

export const AUTHENTICATED: Verdict = {
  status: 'AUTHENTICATED',
  transStatus: 'Y',
  reason: null,
  method: null,
};
/** `R`: refused before a challenge. `N`: the challenge failed. */
export const rejected = (transStatus: 'N' | 'R', reason: Reason): Verdict => ({
  status: 'REJECTED',
  transStatus,
  reason,
  method: null,
});
export const unavailable = (reason: Reason): Verdict => ({
  status: 'UNAVAILABLE',
  transStatus: 'U',
  reason,
  method: null,
});
const challenge = (method: Verdict['method']): Verdict => ({
  status: 'CHALLENGE',
  transStatus: 'C',
  reason: null,
  method,
});

/** Undefined: the card can be used. */
export function inactiveReason(
  card: Pick<CardRecord, 'status' | 'expiryDate'>,
  today: Day,
): Reason | undefined {
  const status = statusOf(card, today);
  return status === 'ACTIVE' ? undefined : (`card_${status.toLowerCase()}` as Reason);
}

/** What is known of the card whose number was given. */
export interface KnownCard {
  card: Pick<CardRecord, 'status' | 'expiryDate' | 'numberId' | 'threeDsForwarding'>;
  /** Of the given number: an inactive one is unknown. */
  numberId: string;
  /** Wrong codes in the last hour. */
  wrongCodes: number;
}

export function refusalOf(
  known: KnownCard | undefined,
  expiry: string | undefined,
  today: Day,
): Reason | undefined {
  if (!known || known.numberId !== known.card.numberId) return 'unknown_card';
  const inactive = inactiveReason(known.card, today);
  if (inactive) return inactive;
  if (expiry !== undefined && expiry !== known.card.expiryDate.slice(0, 7)) return 'expiry_mismatch';
  return known.wrongCodes >= MOST_WRONG ? 'too_many_attempts' : undefined;
}

/** What the decision endpoint says; undefined if the program has none. A failure means a challenge. */
export type Decision = MerchantAnswer<'authentication'>['outcome'] | undefined;

export interface Facts {
  request: Pick<AuthenticationRequest, 'purpose' | 'amountMinor' | 'currency' | 'deviceChannel'> &
    Pick<AuthenticationRequest, 'category' | 'challenge'>;
  program: Pick<Program, 'currency' | 'challengeAboveMinor' | 'mode'>;
  refusal: Reason | undefined;
  decision: Decision;
  forwarding: boolean;
  hasOtpEndpoint: boolean;
}

/** The guards and rules in their order. */
export function decideAuthentication(facts: Facts): Verdict {
  const { request, program, refusal, decision, forwarding, hasOtpEndpoint } = facts;
  if (refusal) return rejected('R', refusal);
  if (decision === 'declined') return rejected('R', 'declined_by_program');
  if (request.purpose === '3ds') {
    const approved = decision === undefined ? isBelowLimit(facts) : decision === 'approved';
    if (approved && request.challenge !== 'MANDATED') return AUTHENTICATED;
    if (forwarding) return challenge('OUT_OF_BAND');
    // The cardholder is not there to enter a code.
    if (request.deviceChannel === 'MERCHANT') return unavailable('no_channel');
  }
  // In the sandbox the merchant can read the code.
  return hasOtpEndpoint || program.mode === 'sandbox' ? challenge('OTP') : unavailable('no_channel');
}

function isBelowLimit({ request, program }: Facts): boolean {
  const { challengeAboveMinor: limit, currency } = program;
  if (limit === null || request.category !== 'PAYMENT' || request.currency !== currency) return false;
  return (request.amountMinor as bigint) <= limit;
}

export const isOpen = ({ status }: Pick<Verdict, 'status'>): boolean => status === 'CHALLENGE';

/** Real time decides, whatever the program's clock says. */
export const isExpired = (
  { status, expiresAt }: Pick<Authentication, 'status' | 'expiresAt'>,
  realNowMs: number,
): boolean => status === 'CHALLENGE' && expiresAt !== null && expiresAt.getTime() <= realNowMs;

/** As it stands now: an expired challenge counts as rejected before a worker has recorded it. */
export const asOf = (authentication: Authentication, realNowMs: number): Authentication =>
  isExpired(authentication, realNowMs)
    ? { ...authentication, ...rejected('N', 'expired'), method: authentication.method }
    : authentication;

/** What the network gets. */
export function present(authentication: Authentication, destination: string | null) {
  const { status, method, expiresAt, wrongAttempts, sends, reason } = authentication;
  const isEntered = status === 'CHALLENGE' && method === 'OTP';
  return {
    status,
    method,
    destination: method === 'OTP' ? destination : null,
    expires_at: expiresAt && formatTimestamp(expiresAt),
    reason,
    attempts_left: isEntered ? MOST_ATTEMPTS - wrongAttempts : 0,
    sends_left: isEntered ? MOST_SENDS - sends : 0,
  };
}

/** What the merchant gets, and the data of events. It has no cardholder data: events are not encrypted. */
export const presentToMerchant = (authentication: Authentication) => ({
  id: authentication.id,
  authentication_id: authentication.authenticationId,
  purpose: authentication.purpose,
  card_id: authentication.cardId as string,
  status: authentication.status,
  trans_status: authentication.transStatus,
  method: authentication.method,
  reason: authentication.reason,
  amount:
    authentication.amountMinor === null
      ? null
      : formatAmount(authentication.amountMinor, authentication.currency as string),
  currency: authentication.currency,
  merchant: authentication.merchant,
  expires_at: authentication.expiresAt && formatTimestamp(authentication.expiresAt),
});
