import { infiniteQueryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { ReportRequest } from '../../lib/api-types.gen.ts';
import type { Slice } from '../../lib/types.ts';

const LOOK_AGAIN_MS = 1_500;

/** Refreshes the list while a file is being generated. */
export const reportsQuery = (programId: string) =>
  infiniteQueryOptions({
    queryKey: [programId, 'reports'],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<Slice<ReportRequest>>('reports/', { before: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => {
      const isWaiting = state.data?.pages.some(({ results }) =>
        results.some(({ status }) => status === 'pending'),
      );
      return isWaiting ? LOOK_AGAIN_MS : false;
    },
  });
