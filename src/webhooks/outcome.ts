import type { AttemptRecord, ClaimedDelivery, DeliveryUpdate } from '../events/delivery-queries.ts';
import { newId } from '../kernel/ids.ts';
import type { AttemptResult } from './attempt-delivery.ts';
import { nextAttempt, outcomeOf } from './retry.ts';

/** The outcome of an attempt, as it is stored. */
export interface Outcome {
  attempt: AttemptRecord;
  delivery: DeliveryUpdate;
  /** The receiver responded 410 Gone. */
  gone: boolean;
  /** Nothing was sent, because our side failed. */
  unsent: boolean;
}

export function toOutcome(
  endpointId: string,
  { eventId, claimedUntil, attempt, firstAttemptAt }: ClaimedDelivery,
  startedAt: Date,
  result: AttemptResult,
): Outcome {
  const { durationMs } = result;
  const answer = 'error' in result ? undefined : result;
  const outcome = outcomeOf(result);
  const nowMs = Date.now();
  const nextMs =
    outcome === 'delivered'
      ? undefined
      : nextAttempt({
          attempt,
          firstAttemptMs: firstAttemptAt.getTime(),
          nowMs,
          retryAfter: answer?.retryAfter,
          random: Math.random(),
        });
  return {
    attempt: {
      id: newId(startedAt.getTime()),
      eventId,
      endpointId,
      statusCode: answer?.statusCode ?? null,
      error: 'error' in result ? result.error : null,
      answerStart: answer?.answerStart ?? null,
      durationMs: Math.round(durationMs),
      createdAt: startedAt,
    },
    delivery: {
      endpointId,
      eventId,
      claimedUntil,
      status: outcome === 'delivered' ? 'DELIVERED' : nextMs === undefined ? 'FAILED' : 'PENDING',
      dueInMs: nextMs === undefined ? null : nextMs - nowMs,
    },
    gone: outcome === 'gone',
    unsent: Boolean(result.unsent),
  };
}
