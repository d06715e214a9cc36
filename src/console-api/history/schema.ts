import { Type } from 'typebox';
import { actionWords } from '../../audit/actions.ts';
import { EXAMPLE_CARD_ANSWER } from '../../cards/examples.ts';
import { nullable } from '../../http/schemas.ts';
import { before, next, nullableText, text, timestamp } from '../console-schema.ts';
import { ACTOR_KINDS } from './entry.ts';

export const HistoryQuery = Type.Object({ before });

/** Fields of every audit entry. */
export const entryFields = {
  id: text,
  action: Type.String({ examples: ['card.frozen'] }),
  words: Type.String({ description: 'The action in words.', examples: ['Card frozen'] }),
  cardId: nullableText,
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
};

export const HistoryEntry = Type.Object(entryFields, { title: 'HistoryEntry' });

export const EXAMPLE_ENTRY = {
  id: '019a85f3-0a51-7004-9f3e-5a1c2b3d4e5f',
  action: 'card.blocked',
  words: actionWords('card.blocked'),
  cardId: EXAMPLE_CARD_ANSWER.id,
  actor: { kind: 'operator', name: 'Grace Hopper <grace@example.com>' },
  address: '203.0.113.7',
  reason: 'stolen',
  changes: [{ field: 'status', before: 'ACTIVE', after: 'BLOCKED' }],
  requestId: 'req_019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
  created: '2026-11-15T08:32:00+0000',
};

export const History = Type.Object({ results: Type.Array(HistoryEntry), next }, { title: 'CardHistory' });
