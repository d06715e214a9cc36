import type { LifeEvent } from '../../lib/types.ts';

type Authentication = NonNullable<LifeEvent['authentication']>;

/** Why an authentication does not count, after "Not authenticated". */
const UNCOUNTED: Record<NonNullable<Authentication['reason']>, string> = {
  unknown: 'no authentication has this id',
  not_authenticated: '3-D Secure was not completed for a payment',
  attempted: 'the merchant attempted 3-D Secure, but it was not completed',
  other_card: 'the authentication was for another card',
  other_merchant: 'the authentication was for another merchant',
  expired: 'the authentication is too old',
  already_used: 'the authentication was already used for another purchase',
  other_purchase: 'the purchase that it names as the first did not use the authentication',
  other_currency: 'the authentication was in another currency',
  amount_exceeded: 'the authentication was for a smaller amount',
};

/** How the cardholder was authenticated, in one line. */
export const authenticationWords = ({ reason }: Authentication): string =>
  reason === null ? 'Authenticated with 3-D Secure' : `Not authenticated: ${UNCOUNTED[reason]}`;
