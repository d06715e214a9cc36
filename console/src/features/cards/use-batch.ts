import type { CardBatch } from '@emboss/sdk';
import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { programApi } from '../../lib/api.ts';
import { useProgramApi } from '../../lib/program.ts';
import { randomKey } from '../../lib/random-key.ts';
import { type CsvRow, type Failure, listFailed, type ReadFile, type SentBatch } from './batch-file.ts';

export function useSendBatch(
  file: ReadFile,
  rows: CsvRow[],
  leftOut: Failure[],
  onSent: (sent: SentBatch) => void,
) {
  const api = useProgramApi();
  // The same key for every attempt: a retry after a lost answer creates no second batch.
  const [key] = useState(randomKey);
  return useMutation({
    mutationFn: () =>
      api.post<CardBatch>(
        'merchant/card-batches/',
        { cards: rows.map(({ card }) => card) },
        { 'idempotency-key': key },
      ),
    onSuccess: (batch) => onSent({ file, rows, leftOut, batch }),
  });
}

const LOOK_EVERY_MS = 500;

export const batchQuery = (programId: string, batch: CardBatch) =>
  queryOptions({
    queryKey: [programId, 'card-batches', batch.id],
    queryFn: ({ signal }) =>
      programApi(programId).get<CardBatch>(`merchant/card-batches/${batch.id}/`, {}, signal),
    placeholderData: batch,
    refetchInterval: ({ state }) => (state.data?.status === 'COMPLETED' ? false : LOOK_EVERY_MS),
  });

const LISTED_EVERY_MS = 10_000;

interface BatchPage {
  results: CardBatch[];
  next: string | null;
}

/** Newest first. */
export const batchesQuery = (programId: string) =>
  infiniteQueryOptions({
    queryKey: [programId, 'card-batches'],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<BatchPage>('merchant/card-batches/', pageParam, signal),
    initialPageParam: {} as Record<string, string>,
    getNextPageParam: ({ next }: BatchPage) =>
      next === null ? null : Object.fromEntries(new URL(next).searchParams),
    refetchInterval: LISTED_EVERY_MS,
  });

export const failedRowsQuery = (programId: string, { id, failed }: CardBatch) =>
  queryOptions({
    queryKey: [programId, 'card-batches', id, 'failed', failed],
    queryFn: () => listFailed(programApi(programId), id),
    enabled: failed > 0,
  });
