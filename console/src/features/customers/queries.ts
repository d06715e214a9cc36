import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { Customer } from '../../lib/types.ts';

export const customerPath = (customerId: string): string => `customers/${encodeURIComponent(customerId)}/`;

export const customerQuery = (programId: string, customerId: string) =>
  queryOptions({
    queryKey: [programId, 'customers', customerId],
    queryFn: ({ signal }) => programApi(programId).get<Customer>(customerPath(customerId), {}, signal),
    refetchInterval: 15_000,
  });

export const refreshCustomers = async (client: QueryClient, programId: string): Promise<void> => {
  await client.invalidateQueries({ queryKey: [programId, 'customers'] });
};
