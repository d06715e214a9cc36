import { type Static, type TSchema, Type } from 'typebox';
import { shownAs } from '../../http/openapi-components.ts';
import { rule } from '../../http/schemas.ts';
import { channel, currency, declineReason, MerchantBody, transactionStatus } from '../transactions/schema.ts';

const messageId = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '\\S',
    ...rule('must not be empty'),
    description,
    examples: [example],
  });

export const externalTransactionId = messageId('Network id of the purchase.', 'net-20261115-000042');

/** A decimal string. The reader refuses more decimals than the currency has, and amounts above the limit. */
export const decimal = (description: string, example = '12.50') =>
  Type.String({
    pattern: '^\\d{1,24}(\\.\\d{1,12})?$',
    ...rule('must be a decimal of at least 0, such as "12.50"'),
    description,
    examples: [example],
  });

const cardNumber = Type.String({
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
export const cvv = Type.String({
  pattern: '^\\d{3,4}$',
  ...rule('must be 3 or 4 digits'),
  writeOnly: true,
  examples: ['123'],
});

const billCurrency = Type.String({
  format: 'currency',
  description: "The card's currency.",
  examples: ['EUR'],
});
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

export const AuthorizationBody = Type.Object(
  {
    external_transaction_id: externalTransactionId,
    card_number: cardNumber,
    expiry,
    cvv: optional(cvv),
    amount: decimal("In the merchant's currency. Zero is an account check."),
    currency,
    bill_amount: optional(decimal("In the card's currency; required if `currency` differs from it.")),
    bill_currency: optional(billCurrency),
    channel,
    merchant: MerchantBody,
  },
  { title: 'AuthorizationRequest' },
);

export const ReversalBody = Type.Object(
  {
    external_transaction_id: externalTransactionId,
    reversal_id: messageId('Id of the reversal.', 'rev-000042'),
    bill_amount: optional(decimal('Part of the hold to release. Default: all of it.')),
  },
  { title: 'ReversalRequest' },
);

const cleared = {
  amount: decimal("In the merchant's currency."),
  currency,
  bill_amount: decimal("In the card's currency."),
  bill_currency: billCurrency,
};

export const ClearingBody = Type.Object(
  {
    external_transaction_id: externalTransactionId,
    clearing_id: messageId('Id of the clearing.', 'clr-000042'),
    ...cleared,
    final: optional(Type.Boolean({ description: 'Whether to release the rest of the hold. Default true.' })),
    card_number: optional(cardNumber),
  },
  { title: 'ClearingRequest' },
);

export const RefundBody = Type.Object(
  {
    refund_id: messageId('Id of the refund.', 'ref-000042'),
    external_transaction_id: optional(externalTransactionId),
    card_number: optional(cardNumber),
    ...cleared,
  },
  { title: 'RefundRequest' },
);

const nullableText = Type.Union([Type.String(), Type.Null()]);

const asked = { external_transaction_id: Type.String() };
const answered = { network_code: Type.String() };
const billed = { bill_amount: Type.String(), bill_currency: Type.String() };

const ApprovedAuthorization = Type.Object(
  {
    transaction_id: Type.String(),
    ...asked,
    approved: Type.Literal(true),
    status: Type.Enum(['PENDING', 'CLEARED', 'VOID']),
    decline_code: Type.Null(),
    decline_reason: Type.Null(),
    ...answered,
    approval_code: Type.String(),
    ...billed,
  },
  { title: 'ApprovedAuthorization' },
);

const DeclinedAuthorization = Type.Object(
  {
    transaction_id: Type.Union([Type.String(), Type.Null()], {
      description: 'Null if the number is not a card in the program: no transaction is recorded.',
    }),
    ...asked,
    approved: Type.Literal(false),
    status: Type.Literal('DECLINED'),
    decline_code: Type.String(),
    decline_reason: declineReason,
    ...answered,
    approval_code: Type.Null(),
    ...billed,
  },
  { title: 'DeclinedAuthorization' },
);

/** A flat schema, because it serializes the response that the network waits for. */
export const AuthorizationResponse = Type.Object(
  {
    transaction_id: nullableText,
    ...asked,
    approved: Type.Boolean(),
    status: transactionStatus,
    decline_code: nullableText,
    decline_reason: nullableText,
    ...answered,
    approval_code: nullableText,
    ...billed,
  },
  shownAs(
    Type.Unsafe({ title: 'AuthorizationResponse', oneOf: [ApprovedAuthorization, DeclinedAuthorization] }),
  ),
);

const laterResponse = {
  transaction_id: nullableText,
  external_transaction_id: nullableText,
  status: transactionStatus,
  bill_amount: Type.String(),
  bill_currency: Type.String(),
};

export const ReversalResponse = Type.Object(
  { reversal_id: Type.String(), ...laterResponse },
  { title: 'ReversalResponse' },
);
export const ClearingResponse = Type.Object(
  { clearing_id: Type.String(), ...laterResponse },
  { title: 'ClearingResponse' },
);
export const RefundResponse = Type.Object(
  {
    refund_id: Type.String(),
    parent_transaction_id: nullableText,
    ...laterResponse,
  },
  { title: 'RefundResponse' },
);

export type AuthorizationBody = Static<typeof AuthorizationBody>;
export type ReversalBody = Static<typeof ReversalBody>;
export type ClearingBody = Static<typeof ClearingBody>;
export type RefundBody = Static<typeof RefundBody>;
