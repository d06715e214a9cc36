import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { TransactionLife, TransactionSlice } from '../../lib/types.ts';
import type { TransactionFilters } from './filters.ts';

export const transactionsQuery = (programId: string, filters: TransactionFilters) =>
  infiniteQueryOptions({
    queryKey: [programId, 'transactions', filters],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<TransactionSlice>('transactions/', { ...filters, before: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });

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
