import { EXAMPLE_METADATA } from '../http/metadata-schema.ts';
import { formatAmount } from '../kernel/money.ts';
import { secret } from '../kernel/secret.ts';
import type { DecisionRequest, RequestKind } from './decision.ts';

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
  answerStart: null,
  durationMs: 41,
};

const EXAMPLE_MINOR = 1250n;

type Example = (currency: string, timeoutMs: number) => DecisionRequest['data'];

const COMMON = {
  card_id: '019a85f2-7c1e-7002-9f3e-5a1c2b3d4e5f',
  external_customer_id: 'customer-1',
  card_metadata: EXAMPLE_METADATA,
};

const authorizationData: Example = (currency, timeoutMs) => {
  const amount = formatAmount(EXAMPLE_MINOR, currency);
  const none = formatAmount(0n, currency);
  return {
    external_transaction_id: 'example-1',
    ...COMMON,
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
    network: null,
    rules: [],
    available_credit: formatAmount(25_000n, currency),
    timeout_ms: timeoutMs,
  };
};

const balanceData: Example = (currency, timeoutMs) => ({
  external_transaction_id: 'example-2',
  ...COMMON,
  type: 'BALANCE_INQUIRY',
  bill_currency: currency,
  channel: 'ATM',
  merchant: { id: 'm-1002', name: 'High Street Bank', mcc: '6011', city: 'London', country: 'GBR' },
  authentication: null,
  network: null,
  rules: [],
  available_credit: formatAmount(25_000n, currency),
  timeout_ms: timeoutMs,
});

const authenticationData: Example = (currency, timeoutMs) => ({
  authentication_id: 'example-1',
  ...COMMON,
  amount: formatAmount(EXAMPLE_MINOR, currency),
  currency,
  merchant: { id: 'm-1001', name: 'Corner Coffee', mcc: '5814', country: 'GBR' },
  device_channel: 'BROWSER',
  category: 'PAYMENT',
  challenge: 'NO_PREFERENCE',
  timeout_ms: timeoutMs,
});

const otpData: Example = (currency) => ({
  external_customer_id: COMMON.external_customer_id,
  destination: '+447700900123',
  amount: formatAmount(EXAMPLE_MINOR, currency),
  currency,
  merchant_name: 'Corner Coffee',
  last_four: '0042',
  purpose: '3ds',
  expires_at: '2026-11-15T08:35:00+0000',
});

/** Made up: for the API document and for tests of an endpoint. */
export const EXAMPLE_DATA: Record<RequestKind, Example> = {
  authorization: authorizationData,
  balance: balanceData,
  authentication: authenticationData,
  otp: otpData,
};
export const EXAMPLE_OTP = '000000';

export function exampleRequest(
  kind: RequestKind,
  eventId: string,
  createdAt: Date,
  currency: string,
  timeoutMs: number,
): DecisionRequest {
  const common = { eventId, createdAt, data: EXAMPLE_DATA[kind](currency, timeoutMs) };
  if (kind === 'otp') return { ...common, kind, otp: secret(EXAMPLE_OTP) };
  if (kind === 'authentication') return { ...common, kind };
  if (kind === 'balance') return { ...common, kind, currency };
  return { ...common, kind, amountMinor: EXAMPLE_MINOR, currency, partialAllowed: false };
}
