import type { DeclineReason } from '@emboss/sdk';
import { type Fits, oneOf } from '../../components/list/search.ts';
import type { Channel } from '../../lib/types.ts';

export const CHANNEL_WORDS: Record<Channel, string> = {
  ECOMMERCE: 'Online',
  POS: 'In store',
  ATM: 'ATM',
  MOTO: 'Mail or phone order',
};

/** In the order of the checks. */
export const DECLINE_REASONS: Record<DeclineReason, string> = {
  card_blocked: 'Card blocked',
  invalid_card_number: 'Invalid card number',
  card_frozen: 'Card frozen',
  card_expired: 'Card expired',
  expiry_mismatch: 'Wrong expiry date',
  cvv_mismatch: 'Wrong CVV',
  card_not_valid_now: 'Card not valid now',
  card_used: 'Card used',
  merchant_locked: 'Merchant not allowed',
  merchant_category_not_allowed: 'Merchant category not allowed',
  rule_declined: 'Declined by a rule',
  authentication_required: 'Authentication required',
  transaction_limit: 'Per-transaction limit exceeded',
  daily_limit: 'Daily limit exceeded',
  card_limit: 'Monthly or lifetime limit exceeded',
  insufficient_funds: 'Insufficient funds',
  program_balance: 'Insufficient program balance',
  already_reversed: 'Already reversed',
  hold_closed: 'Hold already closed',
  stand_in_declined: 'Declined by the network',
  program_insufficient_funds: 'Insufficient funds (your server)',
  program_limit: 'Limit exceeded (your server)',
  program_merchant: 'Merchant not allowed (your server)',
  program_fraud: 'Suspected fraud (your server)',
  program_declined: 'Declined by your server',
  decision_timeout: 'Your server timed out',
  decision_unavailable: 'Your server was unavailable',
  decision_invalid: 'Your server sent an invalid response',
};

export const declineWords = (reason: string): string =>
  DECLINE_REASONS[reason as DeclineReason] ?? reason.replaceAll('_', ' ');

export const STATUSES = ['PENDING', 'CLEARED', 'DECLINED', 'VOID'];
const AMOUNT = /^\d{1,15}(\.\d{1,4})?$/;
export const isAmount = (value: string): boolean => AMOUNT.test(value);

export type FilterName =
  | 'card'
  | 'status'
  | 'kind'
  | 'channel'
  | 'decline_reason'
  | 'merchant'
  | 'mcc'
  | 'currency'
  | 'min_amount'
  | 'max_amount';

/** The values that the server accepts. */
export const FITS: Fits<FilterName> = {
  card: (value) => /^[0-9a-f-]{36}$/.test(value),
  status: oneOf('APPROVED', ...STATUSES),
  kind: oneOf('purchase', 'refund'),
  channel: (value) => Object.hasOwn(CHANNEL_WORDS, value),
  decline_reason: (value) => Object.hasOwn(DECLINE_REASONS, value),
  merchant: (value) => value.length <= 255,
  mcc: (value) => /^\d{4}$/.test(value),
  currency: (value) => /^[A-Z]{3}$/.test(value),
  min_amount: isAmount,
  max_amount: isAmount,
};
