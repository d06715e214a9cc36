import type { DecisionOutcome } from '../../decisions/decision.ts';
import type { Program } from '../../programs/program.ts';

/** How an authorization proves that the cardholder was authenticated: by our own record, or by the network's ECI. */
export type AuthenticationReference = { authenticationId: string } | { eci: string };

/** A 3-D Secure authentication, as `authentications/` keeps it. */
export interface AuthenticationFacts {
  authenticationId: string;
  /** Null: the number was not a card in the program. */
  cardId: string | null;
  /** The cardholder was authenticated for a payment. */
  isAuthenticated: boolean;
  amountMinor: bigint;
  currency: string;
  /** The network's id of the purchase that used it. */
  usedBy: string | null;
}

/** Why an authentication does not count. */
export const UNCOUNTED_REASONS = [
  'unknown',
  'not_authenticated',
  'attempted',
  'other_card',
  'already_used',
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
  /** The highest amount that it covers, in the currency of the purchase. Null: any amount. */
  amountMinor: bigint | null;
}

interface Purchase {
  messageId: string;
  cardId: string;
  amountMinor: bigint;
  currency: string;
}

/** Whether an authentication counts for a purchase. One that does not count is no error: the record shows why. */
export function judgeAuthentication(
  reference: AuthenticationReference,
  found: AuthenticationFacts | undefined,
  purchase: Purchase,
): PurchaseAuthentication {
  if ('eci' in reference) {
    const { eci } = reference;
    return { authenticationId: null, eci, reason: reasonOfEci(eci), amountMinor: null };
  }
  const { authenticationId } = reference;
  const amountMinor = found?.amountMinor ?? null;
  return { authenticationId, eci: null, reason: reasonOf(found, purchase), amountMinor };
}

function reasonOf(found: AuthenticationFacts | undefined, purchase: Purchase): UncountedReason | null {
  if (!found) return 'unknown';
  if (!found.isAuthenticated) return 'not_authenticated';
  if (found.cardId !== purchase.cardId) return 'other_card';
  if (found.usedBy !== null && found.usedBy !== purchase.messageId) return 'already_used';
  if (found.currency !== purchase.currency) return 'other_currency';
  return purchase.amountMinor > found.amountMinor ? 'amount_exceeded' : null;
}

/** Visa and others: 05 full, 06 attempted. Mastercard: 02 full, 01 attempted. */
function reasonOfEci(eci: string): UncountedReason | null {
  if (eci === '05' || eci === '02') return null;
  return eci === '06' || eci === '01' ? 'attempted' : 'not_authenticated';
}

/** The authentication of a purchase that was raised to an amount. */
export const raisedTo = (
  authentication: PurchaseAuthentication | null,
  amountMinor: bigint,
): PurchaseAuthentication | null =>
  authentication?.reason === null &&
  authentication.amountMinor !== null &&
  amountMinor > authentication.amountMinor
    ? { ...authentication, reason: 'amount_exceeded' }
    : authentication;

interface Judged {
  channel: string | null;
  billAmountMinor: bigint;
  /** Undefined if none was requested. */
  merchantDecision?: { authenticated: boolean; response: { outcome: DecisionOutcome } } | undefined;
}

/**
 * Whether a purchase is declined because no authentication counts: the program requires one for online purchases of this
 * amount, or the request to the merchant said that one counts, the merchant approved, and another purchase has used it up since.
 */
export function lacksAuthentication(
  { requireAuthenticationAboveMinor: aboveMinor }: Program,
  { channel, billAmountMinor, merchantDecision }: Judged,
  authentication: PurchaseAuthentication | null,
): boolean {
  if (authentication?.reason === null) return false;
  const isRequired = aboveMinor !== null && channel === 'ECOMMERCE' && billAmountMinor > aboveMinor;
  if (isRequired) return true;
  return merchantDecision?.authenticated === true && merchantDecision.response.outcome === 'approved';
}

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
