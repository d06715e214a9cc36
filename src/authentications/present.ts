import { formatTimestamp } from '../kernel/calendar.ts';
import { formatAmount } from '../kernel/money.ts';
import { type Authentication, MOST_ATTEMPTS, MOST_SENDS } from './authentication.ts';

/** What the network gets. */
export function present(authentication: Authentication) {
  const { status, method, destination, expiresAt, wrongAttempts, sends, reason } = authentication;
  const isEntered = status === 'CHALLENGE' && method === 'OTP';
  return {
    status,
    method,
    destination,
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
