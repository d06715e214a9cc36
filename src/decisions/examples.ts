import { formatAmount } from '../kernel/money.ts';
import type { Question } from './decision.ts';

export const EXAMPLE_ENDPOINT = {
  kind: 'authorization',
  url: 'https://merchant.example/decisions',
  timeoutMs: 2000,
  onFailure: 'APPROVE',
  standIn: { transactionLimit: 50, dailyLimit: 200 },
  paused: false,
  standInSince: null,
  standInReason: null,
  created: '2026-11-15T08:30:00+0000',
};

export const EXAMPLE_TEST = {
  outcome: 'approved',
  eventId: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e60',
  statusCode: 200,
  error: null,
  answerStart: '{"decision":"APPROVE"}',
  durationMs: 41,
};

const EXAMPLE_MINOR = 1250n;

/** A purchase that is made up: for the API document and for tests of an endpoint. */
export function exampleData(currency: string, timeoutMs: number): Question['data'] {
  const amount = formatAmount(EXAMPLE_MINOR, currency);
  const none = formatAmount(0n, currency);
  return {
    external_transaction_id: 'example-1',
    card_id: '019a85f2-7c1e-7002-9f3e-5a1c2b3d4e5f',
    external_customer_id: 'customer-1',
    type: 'PURCHASE',
    amount,
    currency,
    bill_amount: amount,
    bill_currency: currency,
    fx_fee: none,
    atm_fee: none,
    hold_amount: amount,
    channel: 'POS',
    merchant: { id: 'm-1001', name: 'Corner Coffee', mcc: '5814', city: 'London', country: 'GBR' },
    partial_approval_allowed: false,
    authentication: null,
    available_credit: formatAmount(25_000n, currency),
    timeout_ms: timeoutMs,
  };
}

export const exampleQuestion = (
  eventId: string,
  createdAt: Date,
  currency: string,
  timeoutMs: number,
): Question => ({
  eventId,
  createdAt,
  eventName: 'authorization.request',
  data: exampleData(currency, timeoutMs),
  amountMinor: EXAMPLE_MINOR,
  currency,
  partialAllowed: false,
});
