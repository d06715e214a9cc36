import { Type } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { EXAMPLE_CARD, EXAMPLE_CARD_ANSWER } from '../examples.ts';
import { Card, CreateCardBody } from '../schema.ts';
import { MOST_ROWS, ROW_STATUSES } from './batch.ts';

export const EXAMPLE_BATCH = {
  id: '019a85f2-7c1e-7004-9f3e-5a1c2b3d4e5f',
  status: 'PROCESSING',
  total: 1,
  created: 0,
  failed: 0,
  createdAt: '2026-11-15T08:30:00+0000',
  completedAt: null,
};

export const EXAMPLE_ROW = {
  id: '019a85f2-7c1e-7005-9f3e-5a1c2b3d4e5f',
  index: 0,
  status: 'CREATED',
  card: EXAMPLE_CARD_ANSWER,
  error: null,
};

/** The document has the examples of a body apart, so the schema of a row has none. */
const Row = Type.Unsafe<CreateCardBody>({ ...CreateCardBody, examples: undefined });

export const CardBatchBody = Type.Object(
  {
    cards: Type.Array(Row, {
      minItems: 1,
      maxItems: MOST_ROWS,
      description: 'The bodies of single creations.',
    }),
  },
  { title: 'CardBatchRequest', examples: [{ cards: [EXAMPLE_CARD] }] },
);

export const BatchPath = Type.Object({ batchId: Type.String({ description: 'Id of the card batch.' }) });

export const CardBatch = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum(['PROCESSING', 'COMPLETED'], {
      description: '`COMPLETED` when every row is a card or has an error.',
    }),
    total: Type.Integer({ description: 'The number of rows.' }),
    created: Type.Integer({ description: 'Rows whose card was created.' }),
    failed: Type.Integer({ description: 'Rows that were refused.' }),
    createdAt: Type.String(),
    completedAt: nullable(Type.String()),
  },
  { title: 'CardBatch' },
);

const RowError = Type.Object(
  {
    code: Type.Integer(),
    message: Type.String(),
    field: nullable(Type.String({ description: 'The path of the field that the message names.' })),
  },
  { title: 'CardBatchRowError' },
);

export const CardBatchRow = Type.Object(
  {
    id: Type.String(),
    index: Type.Integer({ description: 'The position in `cards` of the request, from 0.' }),
    status: Type.Enum([...ROW_STATUSES]),
    card: nullable(Card, 'Of a created row, as it is now.'),
    error: nullable(RowError, 'Of a failed row: the error that a single creation would have returned.'),
  },
  { title: 'CardBatchRow' },
);
