import { EXAMPLE_MERCHANT } from '../../cards/network-schema.ts';
import { EXAMPLE_METADATA } from '../../http/metadata-schema.ts';

export const EXAMPLE_TRANSACTION = {
  id: '019a85f3-0a51-7003-9f3e-5a1c2b3d4e5f',
  external_transaction_id: 'net-20261115-000042',
  card_id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
  bill_amount: 12.5,
  bill_currency: 'EUR',
  cardholder_name: 'Ada Lovelace',
  amount: '12.50',
  currency: 'EUR',
  status: 'PENDING',
  created: '2026-11-15T08:32:00+0000',
};

const EXAMPLE_DECISION = {
  source: 'emboss',
  outcome: 'approved',
  duration_ms: null,
  reason: null,
  reference: null,
  metadata: null,
};

export const EXAMPLE_DETAILS = {
  ...EXAMPLE_TRANSACTION,
  kind: 'purchase',
  channel: 'POS',
  merchant: EXAMPLE_MERCHANT,
  authentication: null,
  decline_code: null,
  decline_reason: null,
  network_code: '00',
  approval_code: '482913',
  authorization_mode: 'STANDARD',
  fx_fee: '0.00',
  atm_fee: '0.00',
  held_amount: '12.50',
  cleared_amount: '0.00',
  flags: [],
  rules: [],
  network: null,
  metadata: EXAMPLE_METADATA,
  parent_transaction_id: null,
  refunds: [],
  refunded_amount: '0.00',
  decision: EXAMPLE_DECISION,
  limits: null,
  events_total: 1,
  events: [
    {
      id: '019a85f3-0a51-7004-9f3e-5a1c2b3d4e5f',
      name: 'authorization',
      created: EXAMPLE_TRANSACTION.created,
      message_id: EXAMPLE_TRANSACTION.external_transaction_id,
      status: 'PENDING',
      amount: '12.50',
      currency: 'EUR',
      bill_amount: '12.50',
      fx_fee: '0.00',
      atm_fee: '0.00',
      decline_reason: null,
      decision: EXAMPLE_DECISION,
    },
  ],
};
