import { Type } from 'typebox';
import { cvv, decimal, expiry, externalTransactionId } from '../authorizations/network/schema.ts';
import { channel, currency, MerchantBody } from '../authorizations/transactions/schema.ts';
import { rule } from '../http/schemas.ts';

const ownId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '\\S',
    ...rule('must not be empty'),
    description: 'Absent: one is made for you.',
  }),
);
const transactionId = Type.String({ description: 'Transaction id, as the authorization answered it.' });
const optionalMoney = {
  amount: Type.Optional(decimal('Absent: the whole purchase.')),
  currency: Type.Optional(currency),
  bill_amount: Type.Optional(decimal("In the card's currency; needed where `currency` is another.")),
  bill_currency: Type.Optional(currency),
};

export const SwipeBody = Type.Object(
  {
    card_id: Type.String({ description: 'Card id.' }),
    amount: decimal('Zero is a check of the account.'),
    currency: Type.Optional(currency),
    bill_amount: Type.Optional(decimal("In the card's currency; needed where `currency` is another.")),
    bill_currency: Type.Optional(currency),
    channel: Type.Optional(channel),
    merchant: Type.Optional(Type.Partial(MerchantBody, { description: 'What is absent is made up.' })),
    cvv: Type.Optional(cvv),
    expiry: Type.Optional(expiry),
    external_transaction_id: Type.Optional(externalTransactionId),
  },
  { title: 'SimulatedAuthorizationRequest' },
);

export const SwipeReversalBody = Type.Object(
  {
    transaction_id: transactionId,
    reversal_id: ownId,
    bill_amount: Type.Optional(decimal('Part of the hold; absent: all of it.')),
    amount: Type.Optional(decimal("The same, for a purchase in the card's currency.")),
  },
  { title: 'SimulatedReversalRequest' },
);

export const SwipeClearingBody = Type.Object(
  {
    transaction_id: transactionId,
    clearing_id: ownId,
    ...optionalMoney,
    final: Type.Optional(
      Type.Boolean({ description: 'Whether the rest of the hold is released. Default true.' }),
    ),
  },
  { title: 'SimulatedClearingRequest' },
);

export const SwipeRefundBody = Type.Object(
  {
    transaction_id: transactionId,
    refund_id: ownId,
    ...optionalMoney,
  },
  { title: 'SimulatedRefundRequest' },
);
