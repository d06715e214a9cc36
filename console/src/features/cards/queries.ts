import type { Forwarding } from '@emboss/sdk';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type {
  CardDesign,
  CardDetails,
  HistoryEntry,
  ShipmentDetail,
  Slice,
  TransactionTimeline,
} from '../../lib/types.ts';

export const cardQuery = (programId: string, cardId: string) =>
  queryOptions({
    queryKey: [programId, 'cards', cardId],
    queryFn: ({ signal }) =>
      programApi(programId).get<CardDetails>(`merchant/cards/${encodeURIComponent(cardId)}/`, {}, signal),
    refetchInterval: 15_000,
  });

export const timelineQuery = (programId: string, cardId: string) =>
  infiniteQueryOptions({
    queryKey: [programId, 'cards', cardId, 'timeline'],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<TransactionTimeline>(
        `cards/${encodeURIComponent(cardId)}/timeline/`,
        { before: pageParam },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

export const forwardingQuery = (programId: string, cardId: string) =>
  queryOptions({
    queryKey: [programId, 'cards', cardId, 'forwarding'],
    queryFn: ({ signal }) =>
      programApi(programId).get<Forwarding>(
        `merchant/cards/${encodeURIComponent(cardId)}/3ds-forwarding/`,
        {},
        signal,
      ),
  });

export const historyQuery = (programId: string, cardId: string) =>
  infiniteQueryOptions({
    queryKey: [programId, 'cards', cardId, 'history'],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<Slice<HistoryEntry>>(
        `cards/${encodeURIComponent(cardId)}/history/`,
        { before: pageParam },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

export const shipmentQuery = (programId: string, cardId: string) =>
  queryOptions({
    queryKey: [programId, 'cards', cardId, 'shipment'],
    queryFn: ({ signal }) =>
      programApi(programId).get<ShipmentDetail>(`cards/${encodeURIComponent(cardId)}/shipment/`, {}, signal),
    staleTime: 60_000,
  });

/** With the retired ones, which existing cards still have. */
export const designsQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'designs'],
    queryFn: async ({ signal }) =>
      (await programApi(programId).get<{ designs: CardDesign[] }>('card-designs/', {}, signal)).designs,
    staleTime: 60_000,
  });

/** After a change, reloads everything about cards and their customers: state, history, and lists. */
export const refreshCard = async (queryClient: QueryClient, programId: string): Promise<void> => {
  const about = ['cards', 'customers'].map((part) =>
    queryClient.invalidateQueries({ queryKey: [programId, part] }),
  );
  await Promise.all(about);
};
