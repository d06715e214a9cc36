import { Type } from 'typebox';
import { EVENT_TYPES } from '../../events/event.ts';
import { nullableText, text, timestamp } from '../console-schema.ts';

export const LiveQuery = Type.Object({
  after: Type.Optional(
    Type.String({ description: '`cursor` of the answer before. Absent: only a cursor is answered.' }),
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
        'Newest first, the newest 100 at most. The last seconds before the cursor are told again, since what began early may end late: leave out the ids that you know.',
    }),
    cursor: text,
  },
  { title: 'LiveEvents' },
);
