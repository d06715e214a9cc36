import type { Bind } from '../../db/bind.ts';
import type { Wanted } from '../../lists/filters.ts';
import type { RowStatus } from './batch.ts';

/** The rows of a batch. */
export const ofBatch = (batchId: string): Wanted => ({
  where: (bind: Bind) => `t.batch_id = ${bind(batchId, 'uuid')}`,
  leads: [{ column: 'batch_id', value: (bind: Bind) => bind(batchId, 'uuid') }],
});

export const withRowStatus = (status: RowStatus): Wanted => ({
  where: (bind: Bind) => `t.status = ${bind(status, 'text')}`,
});
