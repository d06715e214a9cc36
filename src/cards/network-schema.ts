import { type Static, Type } from 'typebox';
import { nullable, rule } from '../http/schemas.ts';

/** The fields that messages of the network share. */

export const EXAMPLE_MERCHANT = {
  id: 'm-1001',
  name: 'Corner Coffee',
  mcc: '5814',
  city: 'London',
  country: 'GBR',
};

export const currency = Type.String({ format: 'currency', description: 'ISO 4217.', examples: ['EUR'] });

export const messageId = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '\\S',
    ...rule('must not be empty'),
    description,
    examples: [example],
  });

/** A decimal string. The reader refuses more decimals than the currency has, and amounts above the limit. */
export const decimal = (description: string, example = '12.50') =>
  Type.String({
    pattern: '^\\d{1,24}(\\.\\d{1,12})?$',
    ...rule('must be a decimal of at least 0, such as "12.50"'),
    description,
    examples: [example],
  });

export const cardNumber = Type.String({
  pattern: '^\\d{12,19}$',
  ...rule('must be 12 to 19 digits'),
  description: 'The card number, digits only.',
  writeOnly: true,
  examples: ['9999000000000000'],
});
export const expiry = Type.String({
  pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
  ...rule('must be a month as YYYY-MM'),
  examples: ['2029-11'],
});
const loose = (description: string) => Type.Optional(nullable(Type.String({ maxLength: 255 }), description));

/** The network describes merchants loosely, and a message is never refused for it. */
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
