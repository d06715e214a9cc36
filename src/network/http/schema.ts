import { type Static, type TSchema, Type } from 'typebox';
import { AUTHORIZATION_TYPES } from '../../authorizations/core/authorization-type.ts';
import { channel, declineReason, transactionStatus } from '../../authorizations/transactions/schema.ts';
import { messageData, presentedData } from '../../cards/network-data-schema.ts';
import {
  cardNumber,
  currency,
  decimal,
  expiry,
  MerchantBody,
  messageId,
} from '../../cards/network-schema.ts';
import { shownAs } from '../../http/openapi-components.ts';
import { nullable, rule } from '../../http/schemas.ts';

export const externalTransactionId = messageId('Network id of the purchase.', 'net-20261115-000042');

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

const authentication = nullable(
  Type.Object(
    {
      authentication_id: optional(
        messageId('Id of an authentication that Emboss performed.', 'acs-20261115-000042'),
      ),
      eci: optional(
        Type.String({
          pattern: '^0?[0-7]$',
          ...rule('must be 0 to 7, with or without a leading zero'),
          description: 'Electronic commerce indicator. `05` and `02` count.',
          examples: ['05'],
        }),
      ),
    },
    { title: 'AuthenticationReference' },
  ),
  'How the cardholder was authenticated: exactly one of `authentication_id` and `eci`. An `authentication_id` counts once, or for the purchases of one `split_of`, for its card and merchant, in its currency, up to its amount and for the days that the program has set. One that does not count is not an error: the purchase is judged as not authenticated.',
);

/** Any text: one that names no purchase is no error. */
const splitOf = nullable(
  Type.String({ examples: ['net-20261115-000041'] }),
  'A further authorization of the same purchase: `external_transaction_id` of the first, whose authentication it shares. Both name the same `authentication_id`.',
);

export const AuthorizationBody = Type.Object(
  {
    external_transaction_id: externalTransactionId,
    card_number: cardNumber,
    expiry: optional(nullable(expiry, 'Null or absent: not checked.')),
    cvv: optional(cvv),
    type: optional(
      Type.Enum([...AUTHORIZATION_TYPES], {
        description:
          'Default `PURCHASE`. `CASH` charges the ATM fee on every channel. A `BALANCE_INQUIRY` has no amount and holds nothing; in the mode `REAL_TIME` the decision endpoint gives the balance. A `CREDIT` is an online refund or a push to the card: it waits without a hold for the refund that names it.',
      }),
    ),
    amount: optional(
      decimal("In the merchant's currency; required unless a balance inquiry. Zero is an account check."),
    ),
    currency: optional(currency),
    bill_amount: optional(decimal("In the card's currency; required if `currency` differs from it.")),
    bill_currency: optional(billCurrency),
    channel,
    merchant: MerchantBody,
    partial_approval: optional(
      Type.Boolean({
        description: 'Whether a smaller amount may be approved if only funds or an amount limit decline.',
      }),
    ),
    stand_in: optional(
      Type.Object(
        {
          approved: Type.Boolean(),
          approval_code: optional(
            Type.String({ pattern: '^[A-Za-z0-9]{1,6}$', ...rule('must be 1 to 6 letters and digits') }),
          ),
          reason: optional(Type.String({ maxLength: 255 })),
        },
        {
          title: 'StandIn',
          description:
            'An advice: the network has decided already, and says what became of the purchase. What it approved is held, whatever the card allows and whatever was answered before; what is still held of a declined one is released. On an unknown card number, every advice is answered with `network_code` 14 and not recorded.',
        },
      ),
    ),
    advice_id: optional(
      messageId(
        'Id of the advice, by which it is idempotent. Default: `external_transaction_id`.',
        'adv-000042',
      ),
    ),
    authentication: optional(authentication),
    split_of: optional(splitOf),
    ...messageData,
  },
  { title: 'AuthorizationRequest' },
);

export const IncrementBody = Type.Object(
  {
    external_transaction_id: externalTransactionId,
    increment_id: messageId('Id of the increment.', 'inc-000042'),
    amount: decimal("What is added to the hold, in the merchant's currency."),
    currency,
    bill_amount: optional(decimal("In the card's currency; required if `currency` differs from it.")),
    bill_currency: optional(billCurrency),
    ...messageData,
  },
  { title: 'IncrementRequest' },
);

const reversedId = (what: string, example: string) =>
  optional(messageId(`Id of the ${what} to take back, instead of \`external_transaction_id\`.`, example));

export const reversedIncrement = optional(
  messageId('Id of an increment of the purchase, to reverse that increment alone.', 'inc-000042'),
);
/** The part of a reversal, and why it is sent. */
export const reversedPart = {
  amount: optional(decimal("The part to reverse, in the merchant's currency. Default: all of it.")),
  currency: optional(currency),
  bill_amount: optional(
    decimal(
      "The same in the card's currency; required if `currency` differs from it. More than is held takes what is held.",
    ),
  ),
  bill_currency: optional(billCurrency),
  reason: optional(
    Type.Literal('TIMEOUT', {
      description:
        'The network got no response in time: undoes only what Emboss itself has approved, and not what an advice says. Without amounts.',
    }),
  ),
};

export const ReversalBody = Type.Object(
  {
    reversal_id: messageId('Id of the reversal.', 'rev-000042'),
    external_transaction_id: optional(externalTransactionId),
    clearing_id: reversedId('clearing', 'clr-000042'),
    refund_id: reversedId('refund', 'ref-000042'),
    increment_id: reversedIncrement,
    ...reversedPart,
  },
  { title: 'ReversalRequest' },
);

const cleared = {
  amount: decimal("In the merchant's currency."),
  currency,
  bill_amount: decimal("In the card's currency."),
  bill_currency: billCurrency,
};

/** Fills what the transaction does not know yet. */
const origin = { channel: optional(channel), merchant: optional(MerchantBody) };

export const ClearingBody = Type.Object(
  {
    external_transaction_id: externalTransactionId,
    clearing_id: messageId('Id of the clearing.', 'clr-000042'),
    ...cleared,
    final: optional(Type.Boolean({ description: 'Whether to release the rest of the hold. Default true.' })),
    card_number: optional(cardNumber),
    ...origin,
    ...presentedData,
  },
  { title: 'ClearingRequest' },
);

export const RefundBody = Type.Object(
  {
    refund_id: messageId('Id of the refund.', 'ref-000042'),
    external_transaction_id: optional(externalTransactionId),
    card_number: optional(cardNumber),
    ...cleared,
    ...origin,
    ...presentedData,
  },
  { title: 'RefundRequest' },
);

const nullableText = nullable(Type.String());

const requested = { external_transaction_id: Type.String() };
const answered = { network_code: Type.String() };
const billed = { bill_amount: Type.String(), bill_currency: Type.String() };
const priced = {
  amount: Type.String({
    description: "What was approved, in the merchant's currency; in a decline, what was requested.",
  }),
  currency: Type.String(),
  ...billed,
};

const ApprovedAuthorization = Type.Object(
  {
    transaction_id: Type.String(),
    ...requested,
    approved: Type.Literal(true),
    status: Type.Enum(['PENDING', 'CLEARED', 'VOID']),
    decline_code: nullableText,
    decline_reason: nullable(declineReason),
    ...answered,
    approval_code: Type.String(),
    ...priced,
    available_amount: optional(
      Type.String({
        description:
          "For a balance inquiry only: the card's available credit. In the mode `REAL_TIME`, what the decision endpoint answered; absent without a usable answer.",
      }),
    ),
  },
  { title: 'ApprovedAuthorization' },
);

const DeclinedAuthorization = Type.Object(
  {
    transaction_id: nullable(
      Type.String(),
      'Null if the number is not a card in the program: no transaction is recorded.',
    ),
    ...requested,
    approved: Type.Literal(false),
    status: Type.Literal('DECLINED'),
    decline_code: Type.String(),
    decline_reason: declineReason,
    ...answered,
    approval_code: nullableText,
    ...priced,
  },
  { title: 'DeclinedAuthorization' },
);

const decided = {
  transaction_id: nullableText,
  ...requested,
  approved: Type.Boolean(),
  status: transactionStatus,
  decline_code: nullableText,
  decline_reason: nullableText,
  ...answered,
  approval_code: nullableText,
  ...priced,
};

export const IncrementResponse = Type.Object(
  { increment_id: Type.String(), ...decided },
  { title: 'IncrementResponse' },
);

/** A flat schema, because it serializes the response that the network waits for. */
export const AuthorizationResponse = Type.Object(
  { ...decided, available_amount: optional(Type.String()) },
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
  {
    reversal_id: Type.String(),
    clearing_id: optional(Type.String({ description: 'Only if a clearing was taken back.' })),
    refund_id: optional(Type.String({ description: 'Only if a refund was taken back.' })),
    increment_id: optional(Type.String({ description: 'Only if an increment was reversed.' })),
    ...laterResponse,
  },
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
export type IncrementBody = Static<typeof IncrementBody>;
export type ReversalBody = Static<typeof ReversalBody>;
export type ClearingBody = Static<typeof ClearingBody>;
export type RefundBody = Static<typeof RefundBody>;
