import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { Customers, CustomerTimeline } from '../../lib/api-types.gen.ts';
import type { Customer } from '../../lib/types.ts';

export const customerPath = (customerId: string): string => `customers/${encodeURIComponent(customerId)}/`;

export const customerQuery = (programId: string, customerId: string) =>
  queryOptions({
    queryKey: [programId, 'customers', customerId],
    queryFn: ({ signal }) => programApi(programId).get<Customer>(customerPath(customerId), {}, signal),
    refetchInterval: 15_000,
  });

/** All customers, or those that a text finds. */
export const customersQuery = (programId: string, q: string) =>
  infiniteQueryOptions({
    queryKey: [programId, 'customers', 'list', q],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<Customers>('customers/', { q: q || null, before: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });

export const customerTimelineQuery = (programId: string, customerId: string, part: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [programId, 'customers', customerId, 'timeline', part],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<CustomerTimeline>(
        `${customerPath(customerId)}timeline/`,
        { part, before: pageParam },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

export const refreshCustomers = async (client: QueryClient, programId: string): Promise<void> => {
  await client.invalidateQueries({ queryKey: [programId, 'customers'] });
};
