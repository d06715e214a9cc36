import { infiniteQueryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { Slice } from '../../lib/types.ts';
import type { FileType } from './report-types.ts';

export interface ReportRequest {
  referenceId: string;
  fileType: FileType;
  firstDay: string;
  lastDay: string;
  status: 'pending' | 'ready' | 'expired';
  rowCount: number | null;
  bytes: number | null;
  created: string;
}

export interface RequestAnswer {
  message: string;
  reference_id: string;
}

/** Its link is made anew for each answer and lives for five minutes. */
export interface RequestState {
  reference_id: string;
  status: 'pending' | 'ready';
  link: string | null;
  expireAt: number | null;
}

const LOOK_AGAIN_MS = 1_500;

/** While a file is being made the list looks again by itself. */
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
