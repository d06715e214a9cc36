import { queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { TransactionLife } from '../../lib/types.ts';

export const lifeQuery = (programId: string, transactionId: string) =>
  queryOptions({
    queryKey: [programId, 'transaction', transactionId],
    queryFn: ({ signal }) =>
      programApi(programId).get<TransactionLife>(
        `transactions/${encodeURIComponent(transactionId)}/`,
        undefined,
        signal,
      ),
  });
