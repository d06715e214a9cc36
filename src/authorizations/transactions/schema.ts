import { type Static, type TSchema, Type } from 'typebox';
import { rule } from '../../http/schemas.ts';
import { DECLINES } from '../rules/decline.ts';
import { CHANNELS } from '../rules/transaction.ts';
import { EXAMPLE_MERCHANT } from './examples.ts';

export const currency = Type.String({ format: 'currency', description: 'ISO 4217.', examples: ['EUR'] });
export const channel = Type.Enum([...CHANNELS]);
export const transactionStatus = Type.Enum(['PENDING', 'CLEARED', 'DECLINED', 'VOID']);
export const declineReason = Type.Enum(Object.keys(DECLINES));

const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const loose = (description: string) => Type.Optional(nullable(Type.String({ maxLength: 255 }), description));

/** The network describes merchants loosely, and an authorization is never refused for it. */
export const MerchantBody = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '\\S',
      ...rule('must not be empty'),
      description: 'Merchant id at its acquirer.',
    }),
    name: loose('Name as shown on the statement.'),
    mcc: Type.String({ pattern: '^\\d{3,4}$', ...rule('must be a merchant category code of 3 or 4 digits') }),
    city: loose('City, or the text that the network sends in its place.'),
    country: Type.Optional(
      Type.Union([Type.String({ maxLength: 255 }), Type.Integer(), Type.Null()], {
        description: 'ISO 3166-1: alpha-2, alpha-3 or numeric. Stored as alpha-3; null if unknown.',
      }),
    ),
  },
  { title: 'MerchantDescriptor', examples: [EXAMPLE_MERCHANT] },
);
export type MerchantBody = Static<typeof MerchantBody>;

export const Merchant = Type.Object(
  {
    id: Type.String(),
    name: nullable(Type.String(), 'Null if the network did not give it.'),
    mcc: Type.String({ description: 'Merchant category code of 4 digits.' }),
    city: nullable(Type.String(), 'Null if the network did not give it.'),
    country: nullable(Type.String(), 'ISO 3166-1 alpha-3; null if unknown.'),
  },
  { title: 'Merchant', examples: [EXAMPLE_MERCHANT] },
);

export const Transaction = Type.Object(
  {
    id: Type.String(),
    external_transaction_id: Type.String(),
    card_id: Type.String(),
    bill_amount: Type.Number({ description: "In the card's currency; a refund is negative." }),
    bill_currency: Type.String(),
    cardholder_name: Type.String(),
    amount: Type.String({ description: "In the merchant's currency; a refund is negative." }),
    currency: Type.String(),
    status: transactionStatus,
    created: Type.String(),
  },
  { title: 'Transaction' },
);
