import { Type } from 'typebox';
import { before, next, nullable, nullableText, text, timestamp } from '../console-schema.ts';
import { ACTOR_KINDS } from './entry.ts';

export const HistoryQuery = Type.Object({ before });

const HistoryEntry = Type.Object(
  {
    id: text,
    action: Type.String({ examples: ['card.frozen'] }),
    actor: Type.Object({
      kind: Type.Enum([...ACTOR_KINDS]),
      name: Type.String({ description: 'The person, the API key, or the part of the system.' }),
    }),
    address: nullable(
      Type.String({ description: 'The IP address it came from; null for the command line and the system.' }),
    ),
    reason: nullableText,
    changes: Type.Array(
      Type.Object({ field: text, before: nullableText, after: nullableText }, { title: 'HistoryChange' }),
    ),
    requestId: nullableText,
    created: timestamp(),
  },
  { title: 'HistoryEntry' },
);

export const History = Type.Object({ results: Type.Array(HistoryEntry), next }, { title: 'CardHistory' });
