import type { Account } from '@emboss/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { FundingPage, ProgramTerms } from '../../lib/api-types.gen.ts';

const BALANCE_EVERY_MS = 30_000;

export const accountQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'account'],
    queryFn: ({ signal }) => programApi(programId).get<Account>('merchant/account/', undefined, signal),
    refetchInterval: BALANCE_EVERY_MS,
  });

export const termsQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'terms'],
    queryFn: ({ signal }) => programApi(programId).get<ProgramTerms>('terms/', undefined, signal),
  });

export const fundingQuery = (programId: string) =>
  infiniteQueryOptions({
    queryKey: [programId, 'funding'],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<FundingPage>('funding/', { before: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
