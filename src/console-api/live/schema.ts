import { Type } from 'typebox';
import { EVENT_TYPES } from '../../events/names.ts';
import { nullable } from '../../http/schemas.ts';
import { nullableText, text, timestamp } from '../console-schema.ts';

export const LiveQuery = Type.Object({
  after: Type.Optional(
    Type.String({ description: '`cursor` of the previous response. Without it, only a cursor is returned.' }),
  ),
});

const LiveEvent = Type.Object(
  {
    id: text,
    type: Type.Enum([...EVENT_TYPES]),
    name: Type.String({ examples: ['authorization.declined'] }),
    created: timestamp(),
    cardId: nullableText,
    lastFour: nullableText,
    transactionId: nullableText,
    status: nullableText,
    amount: nullableText,
    currency: nullableText,
    billAmount: nullableText,
    billCurrency: nullableText,
    total: nullable(Type.String(), 'The bill amount with its fees.'),
    channel: nullableText,
    merchant: nullableText,
    declineReason: nullableText,
    declineMeaning: nullableText,
  },
  { title: 'LiveEvent' },
);

export const LiveEvents = Type.Object(
  {
    events: Type.Array(LiveEvent, {
      description:
        'Newest first, at most 100. Events of the last seconds before the cursor are returned again, because a slow transaction may commit late: skip the ids that you already have.',
    }),
    cursor: text,
  },
  { title: 'LiveEvents' },
);
