import { Type } from 'typebox';
import { rule } from '../../http/schemas.ts';
import { DECLINES } from '../rules/decline.ts';
import { CHANNELS } from '../rules/transaction.ts';
import { EXAMPLE_MERCHANT } from './examples.ts';

export const currency = Type.String({ format: 'currency', description: 'ISO 4217.', examples: ['EUR'] });
export const channel = Type.Enum([...CHANNELS]);
export const transactionStatus = Type.Enum(['PENDING', 'CLEARED', 'DECLINED', 'VOID']);
export const declineReason = Type.Enum(Object.keys(DECLINES));

const merchantText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', ...rule('must not be empty'), description });

export const MerchantBody = Type.Object(
  {
    id: merchantText('Merchant id at its acquirer.'),
    name: merchantText('Name as shown on the statement.'),
    mcc: Type.String({ pattern: '^\\d{4}$', ...rule('must be a merchant category code of 4 digits') }),
    city: merchantText('City, or the text that the network sends in its place.'),
    country: Type.String({ format: 'country', description: 'ISO 3166-1, alpha-2 or alpha-3.' }),
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
