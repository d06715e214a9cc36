/** A `CREDIT` is an online refund, or a push to the card. */
export const AUTHORIZATION_TYPES = ['PURCHASE', 'CASH', 'BALANCE_INQUIRY', 'CREDIT'] as const;
export type AuthorizationType = (typeof AUTHORIZATION_TYPES)[number];
