import type {
  Rule,
  RuleFields,
  RuleList,
  RuleLists,
  RuleListWithValues,
  RuleMatchPage,
  RulePage,
  RuleReport,
} from '@emboss/sdk';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, programApi } from '../../lib/api.ts';
import type { Message } from '../../lib/types.ts';

export type { MatchedRule, RuleField, RuleLeaf, RuleMatch, RuleRequest } from '@emboss/sdk';
export type { Rule, RuleList, RuleReport };

/** The filters of the list, in the URL too. */
export interface RulesSearch {
  status?: string;
  action?: string;
}

export const rulePath = (ruleId: string): string => `merchant/rules/${encodeURIComponent(ruleId)}/`;
export const listPath = (name: string): string => `merchant/rule-lists/${encodeURIComponent(name)}/`;

/** The query of the next page, from the link of this one. */
export const nextOf = ({ next }: { next: string | null }) =>
  next === null ? null : Object.fromEntries(new URL(next).searchParams);

export type PageParams = Record<string, string> | null;

export const rulesQuery = (programId: string, search: RulesSearch) =>
  infiniteQueryOptions({
    queryKey: [programId, 'rules', 'list', search],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<RulePage>('merchant/rules/', pageParam ?? { ...search }, signal),
    initialPageParam: null as PageParams,
    getNextPageParam: nextOf,
  });

const PREPARING_EVERY_MS = 3_000;

export const ruleQuery = (programId: string, ruleId: string) =>
  queryOptions({
    queryKey: [programId, 'rules', 'rule', ruleId],
    queryFn: ({ signal }) => programApi(programId).get<Rule>(rulePath(ruleId), undefined, signal),
    refetchInterval: ({ state: { data } }) => data?.status === 'PREPARING' && PREPARING_EVERY_MS,
  });

export const reportQuery = (programId: string, ruleId: string) =>
  queryOptions({
    queryKey: [programId, 'rules', 'report', ruleId],
    queryFn: ({ signal }) =>
      programApi(programId).get<RuleReport>(`${rulePath(ruleId)}report/`, undefined, signal),
  });

export const matchesQuery = (programId: string, ruleId: string) =>
  infiniteQueryOptions({
    queryKey: [programId, 'rules', 'matches', ruleId],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<RuleMatchPage>(
        `${rulePath(ruleId)}matches/`,
        pageParam ?? { page_size: 20 },
        signal,
      ),
    initialPageParam: null as PageParams,
    getNextPageParam: nextOf,
  });

export const fieldsQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'rules', 'fields'],
    queryFn: async ({ signal }) =>
      (await programApi(programId).get<RuleFields>('merchant/rules/fields/', undefined, signal)).fields,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const listsQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'rules', 'lists'],
    queryFn: async ({ signal }) =>
      (await programApi(programId).get<RuleLists>('merchant/rule-lists/', undefined, signal)).ruleLists,
  });

export const valuesQuery = (programId: string, name: string) =>
  queryOptions({
    queryKey: [programId, 'rules', 'lists', name],
    queryFn: ({ signal }) => programApi(programId).get<RuleListWithValues>(listPath(name), undefined, signal),
  });

/** Where a condition is wrong, as the server says it. */
export interface Fault {
  path: string;
  rule: string;
}

/** Undefined: the error is not about the condition. */
export function faultOf(error: unknown): Fault | undefined {
  if (!(error instanceof ApiError) || error.status !== 400) return undefined;
  const [, path, rule] = /^(when(?:[.[]\S*)?): (.+)$/s.exec(error.message) ?? [];
  return path && rule ? { path, rule } : undefined;
}

/** Null: the condition is valid. `text` is its JSON. */
export const checkQuery = (programId: string, text: string, when: unknown) =>
  queryOptions({
    queryKey: [programId, 'rules', 'check', text],
    queryFn: async (): Promise<Fault | null> => {
      try {
        await programApi(programId).post<Message>('merchant/rules/validate/', { when });
        return null;
      } catch (error) {
        const fault = faultOf(error);
        if (fault) return fault;
        throw error;
      }
    },
    retry: false,
    gcTime: 0,
  });

export const refreshRules = (client: QueryClient, programId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: [programId, 'rules'] });
