import type { Counter } from '../kernel/metric.ts';

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
  'too_many_sends',
  'otp_wrong',
  'not_approved',
  'cancelled',
  'expired',
] as const;
export type Reason = (typeof REASONS)[number];
/** For the metric. */
export const AUTHENTICATIONS: Counter<{ outcome: 'authenticated' | Reason }> = {
  type: 'counter',
  name: 'emboss_authentications_total',
  help: 'Authentications that ended, of known cards, by outcome: authenticated, or the reason.',
  labels: { outcome: ['authenticated', ...REASONS] },
};

/** A challenge lives this long, in real time, and so does each code. */
export const CHALLENGE_MS = 300_000;
export const MOST_ATTEMPTS = 3;
export const MOST_SENDS = 3;
/** Wrong codes and sent codes per card within an hour, over all its authentications. */
export const MOST_WRONG = 10;
export const MOST_CARD_SENDS = 20;
const WINDOW_MS = 3_600_000;
/** The limits per card count from this time on. */
export const windowStart = (realNowMs: number): Date => new Date(realNowMs - WINDOW_MS);

export interface AuthenticationMerchant {
  id: string;
  name: string | null;
  mcc: string;
  /** Alpha-3. */
  country: string | null;
}

/** What the network requests. Merchant, amount and the three wishes are null for a wallet, `wallet` for 3-D Secure. */
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

/** `…At` without another word is real time; `createdAt` and `completedAt` are program time. */
export interface Authentication extends AuthenticationRequest, Verdict {
  programId: string;
  id: string;
  /** Null for a number that is not a card of the program. */
  cardId: string | null;
  /** The number that the challenge is for: after a reissue with another one it cannot succeed. */
  numberId: string | null;
  reference: string | null;
  /** Of every right code, oldest first: several while a send is under way, or after one that may have arrived. */
  otpDigests: Buffer[];
  /** Where the newest code went, masked. */
  destination: string | null;
  wrongAttempts: number;
  sends: number;
  sendStartedAt: Date | null;
  sentAt: Date | null;
  expiresAt: Date | null;
  completedAt: Date | null;
  /** The transactions that use it, the first one first. */
  usedBy: readonly string[];
  createdAt: Date;
  createdReal: Date;
}

/** An authentication of a known card. */
export type CardAuthentication = Authentication & { cardId: string };

/** How errors name the id. */
export const idFieldOf = ({ purpose }: Pick<AuthenticationRequest, 'purpose'>): string =>
  purpose === 'wallet' ? 'tokenizationId' : 'authentication_id';

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
export const challengeBy = (method: Verdict['method']): Verdict => ({
  status: 'CHALLENGE',
  transStatus: 'C',
  reason: null,
  method,
});

export const isOpen = ({ status }: Pick<Verdict, 'status'>): boolean => status === 'CHALLENGE';

/** Real time decides, whatever the program's clock says. */
export const isExpired = (
  { status, expiresAt }: Pick<Authentication, 'status' | 'expiresAt'>,
  realNowMs: number,
): boolean => status === 'CHALLENGE' && expiresAt !== null && expiresAt.getTime() <= realNowMs;

/** Why an open challenge has failed already. */
export function failureOf(
  authentication: Authentication,
  { numberId }: { numberId: string },
  realNowMs: number,
): Verdict | undefined {
  if (isExpired(authentication, realNowMs)) return rejected('N', 'expired');
  return authentication.numberId === numberId ? undefined : rejected('N', 'unknown_card');
}

/** As it stands now: an expired challenge counts as rejected before a worker has recorded it. */
export const asOf = (authentication: Authentication, realNowMs: number): Authentication =>
  isExpired(authentication, realNowMs)
    ? { ...authentication, ...rejected('N', 'expired'), method: authentication.method }
    : authentication;
