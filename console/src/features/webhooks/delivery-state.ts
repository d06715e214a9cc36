import type { Tone } from '../../components/status-badge.tsx';
import type { Attempt, Delivery, WebhookEvent } from './queries.ts';

export const isGood = ({ statusCode }: Attempt): boolean =>
  statusCode !== null && statusCode >= 200 && statusCode <= 299;

export const answerWords = ({ statusCode, error }: Attempt): string =>
  statusCode === null ? (error ?? 'no response') : `response ${statusCode}`;

const STATES = {
  failing: ['bad', 'Retrying'],
  failed: ['bad', 'Failed'],
  pending: ['warn', 'Pending'],
  delivered: ['good', 'Delivered'],
} as const satisfies Record<string, readonly [Tone, string]>;

export type DeliveryState = keyof typeof STATES;
/** Worst first. */
export const DELIVERY_STATES = Object.keys(STATES) as DeliveryState[];
export const stateWords = (state: DeliveryState): readonly [tone: Tone, words: string] => STATES[state];

/** A delivery that waits for a retry after a failure has its own state. */
export function stateOf({ status, attempts }: Delivery): DeliveryState {
  if (status === 'DELIVERED') return 'delivered';
  if (status === 'FAILED') return 'failed';
  const last = attempts.at(-1);
  return last && !isGood(last) ? 'failing' : 'pending';
}

/** The newest attempt at an endpoint among these events. */
export const lastAttemptAt = (endpointId: string, events: WebhookEvent[]): Attempt | undefined =>
  events
    .flatMap(({ deliveries }) => deliveries.filter((delivery) => delivery.endpointId === endpointId))
    .flatMap(({ attempts }) => attempts.slice(-1))
    .toSorted((one, other) => one.created.localeCompare(other.created))
    .at(-1);
