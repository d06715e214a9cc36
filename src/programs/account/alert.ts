import type { NewEvent } from '../../events/event.ts';
import { newId } from '../../kernel/ids.ts';
import { formatAmount } from '../../kernel/money.ts';
import type { Program } from '../program.ts';

/**
 * Whether the alert counts as sent after the balance has changed. It is sent once when the balance falls below the
 * threshold, and again only after the balance has risen above it.
 */
export function isAlertSent(
  { alertBelowMinor, alertSent }: Pick<Program, 'alertBelowMinor' | 'alertSent'>,
  balanceMinor: bigint,
): boolean {
  if (alertBelowMinor === null) return false;
  return alertSent ? balanceMinor <= alertBelowMinor : balanceMinor < alertBelowMinor;
}

export const lowBalanceEvent = (program: Program, balanceMinor: bigint, nowMs: number): NewEvent => ({
  id: newId(nowMs),
  eventType: 'account',
  eventName: 'account.low_balance',
  data: {
    available: formatAmount(balanceMinor, program.currency),
    alert_below: formatAmount(program.alertBelowMinor ?? 0n, program.currency),
    currency: program.currency,
  },
});
