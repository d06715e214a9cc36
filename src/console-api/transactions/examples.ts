import { EXAMPLE_CARD_ANSWER } from '../../cards/examples.ts';
import { EXAMPLE_MERCHANT } from '../../cards/network-schema.ts';

export const EXAMPLE_DETAIL = {
  id: '019a85f3-0a51-7003-9f3e-5a1c2b3d4e5f',
  externalTransactionId: 'net-20261115-000042',
  cardId: EXAMPLE_CARD_ANSWER.id,
  lastFour: '7803',
  cardholderName: 'Ada Lovelace',
  kind: 'purchase',
  status: 'PENDING',
  amount: '12.50',
  currency: 'EUR',
  billAmount: '12.50',
  billCurrency: 'EUR',
  fees: { fx: '0.00', atm: '0.00' },
  total: '12.50',
  channel: 'POS',
  merchant: EXAMPLE_MERCHANT,
  decline: null,
  approvalCode: '482913',
  created: '2026-11-15T08:32:00+0000',
};

export const EXAMPLE_LIFE = {
  transaction: EXAMPLE_DETAIL,
  authorizationMode: 'REAL_TIME',
  card: EXAMPLE_CARD_ANSWER,
  parent: null,
  refunds: [],
  eventsTotal: 1,
  events: [
    {
      id: '019a85f3-0a51-7004-9f3e-5a1c2b3d4e5f',
      name: 'authorization',
      created: '2026-11-15T08:32:00+0000',
      messageId: 'net-20261115-000042',
      amount: '12.50',
      currency: 'EUR',
      billAmount: '12.50',
      billCurrency: 'EUR',
      fees: { fx: '0.00', atm: '0.00' },
      status: 'PENDING',
      decline: null,
      decision: {
        source: 'merchant',
        outcome: 'approved',
        duration_ms: 41,
        reason: null,
        reference: 'decision-4711',
        metadata: null,
      },
      authentication: {
        authentication_id: 'acs-20261115-000042',
        eci: null,
        authenticated: true,
        reason: null,
      },
      transfers: [
        {
          id: '019a85f3-0a51-7005-9f3e-5a1c2b3d4e5f',
          code: 'hold',
          debit: 'Master account',
          credit: 'Holds',
          amount: '12.50',
        },
      ],
    },
  ],
};

export const EXAMPLE_AUTHENTICATION = {
  id: '019a85f3-0a51-7006-9f3e-5a1c2b3d4e5f',
  authenticationId: 'acs-20261115-000042',
  purpose: '3ds',
  category: 'PAYMENT',
  status: 'AUTHENTICATED',
  method: 'OTP',
  reason: null,
  wrongCodes: 1,
  codesSent: 1,
  isUsed: true,
  amount: '12.50',
  currency: 'EUR',
  merchantName: EXAMPLE_MERCHANT.name,
  wallet: null,
  created: '2026-11-15T08:31:00+0000',
};
