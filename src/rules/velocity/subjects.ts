import type { Velocity } from '../language/condition.ts';

/** Whose attempts a velocity counts, as text: it keys the sums. */
export type Subject = string;
export type Subjects = Record<Velocity['per'], Subject>;

const CUSTOMER = 'customer/';
const CARD = 'card/';

/** `customerId` is the stable id of the customer's row, never the merchant's own id. */
export const subjectsOf = (cardId: string, customerId: string, merchantId: string | null): Subjects => ({
  CARD: CARD + cardId,
  CUSTOMER: CUSTOMER + customerId,
  CARD_MERCHANT: `${CARD + cardId}/${(merchantId ?? '').trim()}`,
});

/** Several cards share it, so the lock of a card does not protect its sums. */
export const isShared = (subject: Subject): boolean => subject.startsWith(CUSTOMER);
