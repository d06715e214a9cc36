import type { RuleBacktest, RuleBacktestPage, RuleMatchPage } from '@emboss/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import { nextOf, type PageParams, rulePath } from './queries.ts';

export type { RuleBacktest };
export type BacktestMode = RuleBacktest['mode'];

export interface Span {
  from: string;
  to: string;
  mode: BacktestMode;
}

export const backtestsPath = (ruleId: string): string => `${rulePath(ruleId)}backtests/`;
/** Of a rule that is not saved; a single backtest of any rule is below it too. */
export const UNSAVED_PATH = 'merchant/rule-backtests/';
const backtestPath = (id: string): string => `${UNSAVED_PATH}${encodeURIComponent(id)}/`;

const LOOK_AGAIN_MS = 1_000;
const isOpen = ({ status }: RuleBacktest): boolean => status === 'QUEUED' || status === 'RUNNING';

/** The backtests of a rule, newest first. */
export const backtestsQuery = (programId: string, ruleId: string) =>
  infiniteQueryOptions({
    queryKey: [programId, 'rules', 'backtests', ruleId],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<RuleBacktestPage>(
        backtestsPath(ruleId),
        pageParam ?? { page_size: 10 },
        signal,
      ),
    initialPageParam: null as PageParams,
    getNextPageParam: nextOf,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ results }) => results.some(isOpen)) ? LOOK_AGAIN_MS : false,
  });

export const backtestQuery = (programId: string, id: string) =>
  queryOptions({
    queryKey: [programId, 'rules', 'backtest', id],
    queryFn: ({ signal }) => programApi(programId).get<RuleBacktest>(backtestPath(id), undefined, signal),
    refetchInterval: ({ state: { data } }) => (data && isOpen(data) ? LOOK_AGAIN_MS : false),
  });

export const backtestMatchesQuery = (programId: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [programId, 'rules', 'backtest', id, 'matches'],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<RuleMatchPage>(
        `${backtestPath(id)}matches/`,
        pageParam ?? { page_size: 20 },
        signal,
      ),
    initialPageParam: null as PageParams,
    getNextPageParam: nextOf,
  });
