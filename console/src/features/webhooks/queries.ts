import type { WebhookEndpoint, WebhookEndpointList, WebhookEvent } from '@emboss/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { programApi, queryOf } from '../../lib/api.ts';
import type { Page } from '../../lib/types.ts';

export type EventType = NonNullable<WebhookEndpoint['eventTypes']>[number];

export type {
  NewWebhookEndpoint as NewEndpoint,
  WebhookAttempt as Attempt,
  WebhookDelivery as Delivery,
  WebhookEndpoint as Endpoint,
  WebhookEvent,
  WebhookTest as TestAnswer,
} from '@emboss/sdk';

export const MAX_ENDPOINTS = 5;

export const endpointsQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'webhooks', 'endpoints'],
    queryFn: async ({ signal }) =>
      (await programApi(programId).get<WebhookEndpointList>('merchant/webhook-endpoints/', undefined, signal))
        .webhookEndpoints,
  });

const PAGE_SIZE = '25';
const WAITING_MS = 2_000;
const IDLE_MS = 5_000;
/** With more pages loaded the list is not refreshed, because the operator is reading older events. */
const PAGES_KEPT_FRESH = 2;

export const eventsQuery = (programId: string) =>
  infiniteQueryOptions({
    queryKey: [programId, 'webhooks', 'events'],
    queryFn: ({ pageParam, signal }) =>
      programApi(programId).get<Page<WebhookEvent>>(
        'merchant/webhook-events/',
        pageParam ?? { page_size: PAGE_SIZE },
        signal,
      ),
    initialPageParam: null as Record<string, string> | null,
    getNextPageParam: ({ next }) => queryOf(next),
    refetchInterval: ({ state: { data } }) => {
      if (!data || data.pages.length > PAGES_KEPT_FRESH) return false;
      const isWaiting = data.pages.some(({ results }) =>
        results.some(({ deliveries }) => deliveries.some(({ status }) => status === 'PENDING')),
      );
      return isWaiting ? WAITING_MS : IDLE_MS;
    },
  });

export const EVENT_TYPES: Record<EventType, { label: string; words: string }> = {
  card: { label: 'Cards', words: 'A card is created, frozen, unfrozen, blocked or reissued.' },
  transaction: {
    label: 'Transactions',
    words: 'Authorizations, increments, declines, clearings, refunds, their reversals and expired holds.',
  },
  files: { label: 'Files', words: 'A report is ready; the event contains its download link.' },
  account: { label: 'Account', words: 'The master account falls below its alert threshold.' },
  security: { label: 'Security', words: 'An API key that can reveal card numbers is created.' },
  decision: { label: 'Decisions', words: 'The decision endpoint is not asked any more, or is asked again.' },
  authentication: {
    label: 'Authentications',
    words: 'A cardholder must approve a payment in the app, or an authentication has its result.',
  },
};
