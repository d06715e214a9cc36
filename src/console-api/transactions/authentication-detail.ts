import { asOf, type CardAuthentication } from '../../authentications/authentication.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { formatAmount } from '../../kernel/money.ts';

/** As it stands now. Codes are counted, and never shown. */
export function authenticationDetail(stored: CardAuthentication, realNowMs: number) {
  const now = asOf(stored, realNowMs);
  const { amountMinor, currency } = now;
  return {
    id: now.id,
    cardId: now.cardId,
    authenticationId: now.authenticationId,
    purpose: now.purpose,
    category: now.category,
    status: now.status,
    method: now.method,
    reason: now.reason,
    wrongCodes: now.wrongAttempts,
    codesSent: now.sends,
    isUsed: now.usedBy.length > 0,
    amount: amountMinor === null || currency === null ? null : formatAmount(amountMinor, currency),
    currency,
    merchantName: now.merchant?.name ?? null,
    wallet: now.wallet,
    created: formatTimestamp(now.createdAt),
  };
}
