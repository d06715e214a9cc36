import { Type } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { before, next, nullableText, text, timestamp } from '../console-schema.ts';
import { ACTOR_KINDS } from './entry.ts';

export const HistoryQuery = Type.Object({ before });

const HistoryEntry = Type.Object(
  {
    id: text,
    action: Type.String({ examples: ['card.frozen'] }),
    actor: Type.Object({
      kind: Type.Enum([...ACTOR_KINDS]),
      name: Type.String({ description: 'Name of the operator, the API key or the system component.' }),
    }),
    address: nullable(
      Type.String({ description: 'IP address of the request; null for the command line and the system.' }),
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
