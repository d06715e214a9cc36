import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { AuditEntry, AuditFilters, AuditPage, AuditVerification } from '../../lib/api-types.gen.ts';
import type { AuditSearch } from './filters.ts';

export type { AuditEntry, AuditVerification };

const VERIFIED_EVERY_MS = 60_000;

export const auditQuery = (programId: string, search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: [programId, 'audit', search],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<AuditPage>('audit/', { ...search, before: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: AuditPage) => next,
  });

export const filtersQuery = (programId: string, chain: string | undefined) =>
  queryOptions({
    queryKey: [programId, 'audit', 'filters', chain],
    queryFn: ({ signal }) => programApi(programId).get<AuditFilters>('audit/filters/', { chain }, signal),
  });

export const verificationQuery = (programId: string, chain: string | undefined) =>
  queryOptions({
    queryKey: [programId, 'audit', 'verification', chain],
    queryFn: ({ signal }) =>
      programApi(programId).get<AuditVerification>('audit/verification/', { chain }, signal),
    refetchInterval: VERIFIED_EVERY_MS,
  });
