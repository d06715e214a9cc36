import { type Static, Type } from 'typebox';
import { Card } from '../../cards/schema.ts';
import { rule } from '../../http/schemas.ts';
import { nullableText } from '../console-schema.ts';

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '\\S',
    ...rule('must not be empty'),
    description:
      "A card's id or last four digits, words of a cardholder's name, a customer id (`meta.id`), or the id of a transaction or of a network message.",
    examples: ['lovelace'],
  }),
});

const MatchedBy = Type.Enum(['id', 'lastFour', 'cardholder', 'customerId', 'transaction']);
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
  },
  { title: 'SearchResults' },
);
