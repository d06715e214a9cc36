import { documentEvents } from '../../events/schema.ts';
import { CardBatch, EXAMPLE_BATCH } from './schema.ts';

export const BATCH_EVENTS = documentEvents('card_batch', {
  'card_batch.completed': {
    title: 'CardBatchCompletedEvent',
    summary: 'Every row of a card batch is a card or has an error',
    data: CardBatch,
    exampleData: {
      ...EXAMPLE_BATCH,
      status: 'COMPLETED',
      created: 1,
      completedAt: '2026-11-15T08:30:01+0000',
    },
  },
});
