import { fastify } from 'fastify';

/** The baseline: a bare Fastify with the schema of an authorization, no hooks and no log. It imports nothing of Emboss. */
const text = { type: 'string' } as const;
const amount = { type: 'string', pattern: '^\\d{1,15}(\\.\\d{1,4})?$' } as const;
const nullable = { type: ['string', 'null'] } as const;
const body = {
  type: 'object',
  required: ['external_transaction_id', 'card_number', 'amount', 'currency', 'channel', 'merchant'],
  properties: {
    external_transaction_id: { type: 'string', minLength: 1, maxLength: 64 },
    card_number: { type: 'string', pattern: '^\\d{12,19}$' },
    expiry: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' },
    amount,
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    bill_amount: amount,
    bill_currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    channel: { enum: ['ECOMMERCE', 'POS', 'ATM', 'MOTO'] },
    merchant: {
      type: 'object',
      required: ['id', 'mcc'],
      properties: {
        id: text,
        mcc: { type: 'string', pattern: '^\\d{3,4}$' },
        name: text,
        city: text,
        country: text,
      },
    },
  },
} as const;
const response = {
  200: {
    type: 'object',
    properties: {
      transaction_id: nullable,
      external_transaction_id: text,
      approved: { type: 'boolean' },
      status: text,
      decline_code: nullable,
      decline_reason: nullable,
      network_code: text,
      approval_code: nullable,
      bill_amount: text,
      bill_currency: text,
    },
  },
} as const;
const approval = {
  transaction_id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
  external_transaction_id: '9f3e5a1c-2b3d-4e5f-8a85-f27c1e700101',
  approved: true,
  status: 'PENDING',
  decline_code: null,
  decline_reason: null,
  network_code: '00',
  approval_code: '481516',
  bill_amount: '0.10',
  bill_currency: 'EUR',
};

const app = fastify({ logger: false });
app.post('/authorize/', { schema: { body, response } }, async () => approval);
process.stdout.write(`ready ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
