import { Type } from 'typebox';
import { channel } from '../authorizations/transactions/schema.ts';
import { messageData, presentedData } from '../cards/network-data-schema.ts';
import { currency, decimal, MerchantBody } from '../cards/network-schema.ts';
import { rule } from '../http/schemas.ts';
import {
  AuthorizationBody,
  cvv,
  externalTransactionId,
  reversedIncrement,
  reversedPart,
} from '../network/http/schema.ts';

const ownId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '\\S',
    ...rule('must not be empty'),
    description: 'Default: a generated id.',
  }),
);
const transactionId = Type.String({ description: 'Transaction id from the authorization response.' });
const optionalMoney = {
  amount: Type.Optional(decimal('Default: the whole purchase.')),
  currency: Type.Optional(currency),
  bill_amount: Type.Optional(decimal("In the card's currency; required if `currency` differs from it.")),
  bill_currency: Type.Optional(currency),
};

export const SwipeBody = Type.Object(
  {
    card_id: Type.String({ description: 'Card id.' }),
    amount: Type.Optional(decimal('Required unless a balance inquiry. Zero is an account check.')),
    currency: Type.Optional(currency),
    bill_amount: Type.Optional(decimal("In the card's currency; required if `currency` differs from it.")),
    bill_currency: Type.Optional(currency),
    channel: Type.Optional(channel),
    merchant: Type.Optional(Type.Partial(MerchantBody, { description: 'Missing fields are filled in.' })),
    cvv: Type.Optional(cvv),
    expiry: AuthorizationBody.properties.expiry,
    external_transaction_id: Type.Optional(externalTransactionId),
    type: AuthorizationBody.properties.type,
    partial_approval: AuthorizationBody.properties.partial_approval,
    stand_in: AuthorizationBody.properties.stand_in,
    authentication: AuthorizationBody.properties.authentication,
    split_of: AuthorizationBody.properties.split_of,
    advice_id: AuthorizationBody.properties.advice_id,
    ...messageData,
  },
  { title: 'SimulatedAuthorizationRequest' },
);

export const SwipeIncrementBody = Type.Object(
  {
    transaction_id: transactionId,
    increment_id: ownId,
    amount: decimal('What is added to the hold.'),
    bill_amount: Type.Optional(decimal("In the card's currency; required if the purchase is in another.")),
    ...messageData,
  },
  { title: 'SimulatedIncrementRequest' },
);

export const SwipeReversalBody = Type.Object(
  {
    transaction_id: Type.String({ description: 'Id of the purchase, or of the refund to take back.' }),
    clearing_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Id of a clearing of the purchase to take back, instead of releasing the hold.',
      }),
    ),
    refund_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'Id of the refund to take back, of the transaction of a credit. The transaction of another refund says it.',
      }),
    ),
    reversal_id: ownId,
    increment_id: reversedIncrement,
    ...reversedPart,
    currency: Type.Optional(currency),
  },
  { title: 'SimulatedReversalRequest' },
);

export const SwipeClearingBody = Type.Object(
  {
    transaction_id: transactionId,
    clearing_id: ownId,
    ...optionalMoney,
    final: Type.Optional(
      Type.Boolean({ description: 'Whether to release the rest of the hold. Default true.' }),
    ),
    ...presentedData,
  },
  { title: 'SimulatedClearingRequest' },
);

export const SwipeRefundBody = Type.Object(
  {
    transaction_id: transactionId,
    refund_id: ownId,
    ...optionalMoney,
    ...presentedData,
  },
  { title: 'SimulatedRefundRequest' },
);
