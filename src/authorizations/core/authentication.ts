import type { NetworkData } from '../../cards/network-data.ts';
import type { DecisionOutcome } from '../../decisions/decision.ts';
import { type Day, dayOf, MS_PER_DAY } from '../../kernel/calendar.ts';
import type { Program } from '../../programs/program.ts';
import type { AuthorizationType } from './authorization-type.ts';

/** How an authorization proves that the cardholder was authenticated: by our own record, or by the network's ECI. */
export type AuthenticationReference = { authenticationId: string } | { eci: string };

/** A 3-D Secure authentication, as `authentications/` keeps it. */
export interface AuthenticationFacts {
  authenticationId: string;
  /** Null: the number was not a card in the program. */
  cardId: string | null;
  merchantId: string;
  /** The cardholder was authenticated for a payment. */
  isAuthenticated: boolean;
  /** Program time; null for a challenge. */
  completedAt: Date | null;
  amountMinor: bigint;
  currency: string;
  /** The transactions of the purchases that use it. */
  usedBy: readonly string[];
}

/** What another purchase takes of an authentication. */
export interface AuthenticationShare {
  externalTransactionId: string;
  /** In the currency of the authentication. */
  minor: bigint;
}

/** Why an authentication does not count. */
export const UNCOUNTED_REASONS = [
  'unknown',
  'not_authenticated',
  'attempted',
  'other_card',
  'other_merchant',
  'expired',
  'already_used',
  'other_purchase',
  'other_currency',
  'amount_exceeded',
] as const;
type UncountedReason = (typeof UNCOUNTED_REASONS)[number];

/** The authentication of a purchase. */
export interface PurchaseAuthentication {
  authenticationId: string | null;
  eci: string | null;
  /** Null: it counts. */
  reason: UncountedReason | null;
  /** The amount of the authentication, in the currency of the purchase. Null: any amount. */
  amountMinor: bigint | null;
}

interface Purchase {
  /** Undefined: a new one. */
  transactionId: string | undefined;
  cardId: string;
  merchantId: string;
  amountMinor: bigint;
  currency: string;
  /** The first purchase that uses the authentication, by the network's id. Undefined: this one. */
  splitOf: string | undefined;
}

/** Program time, and how long an authentication counts. */
interface Term {
  today: Day;
  authenticationDays: number;
}

/**
 * Whether an authentication counts for a purchase. One that does not count is no error: the record shows why. `shares` are
 * those of the other purchases that use it.
 */
export function judgeAuthentication(
  reference: AuthenticationReference,
  found: AuthenticationFacts | undefined,
  shares: readonly AuthenticationShare[],
  purchase: Purchase,
  term: Term,
): PurchaseAuthentication {
  if ('eci' in reference) {
    const { eci } = reference;
    return { authenticationId: null, eci, reason: reasonOfEci(eci), amountMinor: null };
  }
  const { authenticationId } = reference;
  const amountMinor = found?.amountMinor ?? null;
  return { authenticationId, eci: null, reason: reasonOf(found, shares, purchase, term), amountMinor };
}

function reasonOf(
  found: AuthenticationFacts | undefined,
  shares: readonly AuthenticationShare[],
  purchase: Purchase,
  term: Term,
): UncountedReason | null {
  if (!found) return 'unknown';
  if (!found.isAuthenticated) return 'not_authenticated';
  if (found.cardId !== purchase.cardId) return 'other_card';
  if (found.merchantId !== purchase.merchantId) return 'other_merchant';
  if (isOver(found, term)) return 'expired';
  const { splitOf, transactionId } = purchase;
  if (splitOf === undefined && found.usedBy.some((id) => id !== transactionId)) return 'already_used';
  if (splitOf !== undefined && !shares.some(({ externalTransactionId: id }) => id === splitOf))
    return 'other_purchase';
  if (found.currency !== purchase.currency) return 'other_currency';
  return purchase.amountMinor + sumOf(shares) > found.amountMinor ? 'amount_exceeded' : null;
}

/** By days, in UTC: with one day it counts on the day of its result and on the next one. */
const isOver = ({ completedAt }: AuthenticationFacts, { today, authenticationDays }: Term): boolean =>
  completedAt !== null && today > dayOf(completedAt.getTime() + authenticationDays * MS_PER_DAY);

const sumOf = (shares: readonly AuthenticationShare[]): bigint =>
  shares.reduce((total, { minor }) => total + minor, 0n);

/** By network: 05 or 02 full, 06 or 01 attempted. */
function reasonOfEci(eci: string): UncountedReason | null {
  if (eci === '05' || eci === '02') return null;
  return eci === '06' || eci === '01' ? 'attempted' : 'not_authenticated';
}

/** The authentication of a purchase that was raised to an amount, beside the shares of the other purchases. */
export const raisedTo = (
  authentication: PurchaseAuthentication | null,
  amountMinor: bigint,
  shares: readonly AuthenticationShare[],
): PurchaseAuthentication | null =>
  authentication?.reason === null &&
  authentication.amountMinor !== null &&
  amountMinor + sumOf(shares) > authentication.amountMinor
    ? { ...authentication, reason: 'amount_exceeded' }
    : authentication;

interface Judged {
  channel: string | null;
  type: AuthorizationType | null;
  network: NetworkData | null;
  billAmountMinor: bigint;
  /** Undefined if none was requested. */
  merchantDecision?: { authenticated: boolean; response: { outcome: DecisionOutcome } } | undefined;
}

/**
 * Whether a purchase is declined because no authentication counts: the program requires one for online purchases of this
 * amount, or the request to the merchant said that one counts, the merchant approved, and another purchase has used it up since.
 */
export function lacksAuthentication(
  { requireAuthenticationAboveMinor: aboveMinor, allowedExemptions }: Program,
  { channel, type, network, billAmountMinor, merchantDecision }: Judged,
  authentication: PurchaseAuthentication | null,
): boolean {
  if (authentication?.reason === null) return false;
  const isRequired = aboveMinor !== null && channel === 'ECOMMERCE' && billAmountMinor > aboveMinor;
  if (isRequired && !isExempt(type, network, allowedExemptions)) return true;
  return merchantDecision?.authenticated === true && merchantDecision.response.outcome === 'approved';
}

/** What the regulation leaves out: the merchant pays itself from a stored card, or the program allows an exemption. */
export const isExempt = (
  type: AuthorizationType | null,
  network: NetworkData | null,
  allowed: Program['allowedExemptions'],
): boolean =>
  type === 'CREDIT' ||
  network?.initiator === 'MERCHANT' ||
  (network?.exemption != null && network.exemption !== 'NONE' && allowed.includes(network.exemption));

/** For the merchant's decision. */
export const proofView = ({ authenticationId, eci, reason }: PurchaseAuthentication) => ({
  authentication_id: authenticationId,
  eci,
  authenticated: reason === null,
});

/** For events, the API and the console. */
export const authenticationView = (authentication: PurchaseAuthentication) => ({
  ...proofView(authentication),
  reason: authentication.reason,
});
