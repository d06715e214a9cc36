import { infiniteQueryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { Approval, ApprovalPage } from '../../lib/api-types.gen.ts';
import type { StatusFilter } from './status-filter.ts';

export type { Approval };

const LISTED_EVERY_MS = 30_000;

export const approvalsQuery = (programId: string, status: StatusFilter) =>
  infiniteQueryOptions({
    queryKey: [programId, 'approvals', status],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<ApprovalPage>(
        'approvals/',
        { status: status === 'ALL' ? undefined : status, before: pageParam },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ApprovalPage) => next,
    refetchInterval: LISTED_EVERY_MS,
  });
