import { queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';

const COUNTED_EVERY_MS = 60_000;

/** The pending requests of others that the operator can decide, for the navigation. */
export const waitingQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'approvals', 'waiting'],
    queryFn: async ({ signal }) =>
      (await programApi(programId).get<{ count: number }>('approvals/waiting/', undefined, signal)).count,
    refetchInterval: COUNTED_EVERY_MS,
  });
