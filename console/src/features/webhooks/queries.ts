import type { WebhookEndpoint, WebhookEndpointList, WebhookEvent } from '@emboss/sdk';
import { queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';

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

const WAITING_MS = 2_000;
const IDLE_MS = 5_000;

/** The pause until the events are refreshed: shorter while a delivery is pending. */
export const refreshMs = (events: WebhookEvent[]): number =>
  events.some(({ deliveries }) => deliveries.some(({ status }) => status === 'PENDING'))
    ? WAITING_MS
    : IDLE_MS;

export const EVENT_TYPES: Record<EventType, { label: string; words: string }> = {
  card: {
    label: 'Cards',
    words: 'A card is created, changed, frozen, unfrozen, blocked or reissued, or expires.',
  },
  transaction: {
    label: 'Transactions',
    words: 'Authorizations, increments, declines, clearings, refunds, their reversals and expired holds.',
  },
  settlement: { label: 'Settlement', words: 'The network cleared or refunded a number that no card has.' },
  files: { label: 'Files', words: 'A report is ready; the event contains its download link.' },
  account: { label: 'Account', words: 'The master account is funded, or falls below its alert threshold.' },
  security: { label: 'Security', words: 'An API key that can reveal card numbers is created.' },
  decision: { label: 'Decisions', words: 'Decision requests to your server stopped, or started again.' },
  rule: { label: 'Rules', words: 'A rule is created, promoted, demoted or archived, or a list changes.' },
  card_batch: { label: 'Card batches', words: 'Every card of a batch is created, or has an error.' },
  authentication: {
    label: 'Authentications',
    words: 'A cardholder must approve a payment in the app, or an authentication has its result.',
  },
};
