import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { ListCount, SavedViews } from '../../lib/api-types.gen.ts';
import type { Slice } from '../../lib/types.ts';

/** The lists of the console API with filters. */
export type ListName = 'cards' | 'transactions' | 'webhook-events';

export interface Found<Row> extends Slice<Row> {
  /** How far the search got; null if it is complete. */
  searchedTo: string | null;
}

/** With more pages loaded a list is not refreshed, because the operator is reading older records. */
const PAGES_KEPT_FRESH = 2;

export const listQuery = <Row>(
  programId: string,
  list: ListName,
  query: Record<string, string>,
  refreshMs?: (rows: Row[]) => number,
) =>
  infiniteQueryOptions({
    queryKey: [programId, list, 'list', query],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<Found<Row>>(`${list}/`, { ...query, before: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      if (!refreshMs || !data || data.pages.length > PAGES_KEPT_FRESH) return false;
      return refreshMs(data.pages.flatMap(({ results }) => results));
    },
  });

export const countQuery = (programId: string, list: ListName, query: Record<string, string>) =>
  queryOptions({
    queryKey: [programId, list, 'count', query],
    queryFn: ({ signal }) => {
      const { order: _, ...filters } = query;
      return programApi(programId).get<ListCount>(`${list}/count/`, filters, signal);
    },
    placeholderData: keepPreviousData,
  });

export const viewsQuery = (programId: string, list: ListName) =>
  queryOptions({
    queryKey: [programId, 'views', list],
    queryFn: async ({ signal }) =>
      (await programApi(programId).get<SavedViews>('views/', { list }, signal)).views,
  });
