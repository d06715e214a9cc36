import { Type } from 'typebox';
import type { Filter } from '../../lists/filters.ts';
import { ROW_STATUSES, type RowStatus } from './batch.ts';
import { withRowStatus } from './filter-queries.ts';

/** A batch has at most 1,000 rows, which its own index leads to: this narrows them. */
export const ROW_FILTERS = {
  status: {
    schema: Type.Optional(Type.Enum([...ROW_STATUSES])),
    index: null,
    read: (given) => withRowStatus(given as RowStatus),
  },
} satisfies Record<string, Filter<unknown>>;
