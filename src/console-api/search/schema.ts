import { type Static, Type } from 'typebox';
import { Card } from '../../cards/schema.ts';
import { nullable, rule } from '../../http/schemas.ts';
import { nullableText, timestamp } from '../console-schema.ts';
import { TransactionDetail } from '../transactions/schema.ts';

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '\\S',
    ...rule('must not be empty'),
    description:
      "A card's id or last four digits, words of a cardholder's name, a phone number, an e-mail, a customer id (`meta.id`), the id of a transaction or of a network message, part of a merchant's name, or an amount with its fees.",
    examples: ['lovelace'],
  }),
});

const MatchedBy = Type.Enum(['id', 'lastFour', 'cardholder', 'customerId', 'phone', 'email', 'transaction']);
export type MatchedBy = Static<typeof MatchedBy>;

export const SearchResults = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          card: Card,
          matchedBy: MatchedBy,
          transactionId: nullableText,
        },
        { title: 'SearchResult' },
      ),
    ),
    more: Type.Boolean({ description: 'Whether there are more matching cards than shown.' }),
    transactions: Type.Array(TransactionDetail, {
      description: 'The newest transactions at the merchant or of the amount, at most 25.',
    }),
    searchedBackTo: nullable(
      timestamp('Older transactions were not searched by merchant or amount; null: all were.'),
    ),
  },
  { title: 'SearchResults' },
);
