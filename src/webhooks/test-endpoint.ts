import { findEndpoint } from '../events/endpoint-queries.ts';
import { EmbossError, notFound } from '../kernel/error.ts';
import { isId, newId } from '../kernel/ids.ts';
import { openSecrets } from '../outbound/signing-secret.ts';
import type { Actor } from '../programs/actor.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import type { EndpointServices } from './manage-endpoints.ts';
import { outcomeOf } from './retry.ts';

/**
 * Sends one signed event of type `test` immediately and returns the result, without the bytes of the
 * response: the URL may be of another server than the merchant's. The event is neither stored nor retried.
 */
export async function testEndpoint(
  { db, keeper, sender }: EndpointServices,
  { program }: Actor,
  id: string,
  signal?: AbortSignal,
) {
  const endpoint = isId(id) ? await findEndpoint(db, program.id, id) : undefined;
  if (!endpoint) throw notFound();
  const nowMs = Date.now();
  const secrets = await openSecrets(keeper, db, endpoint, nowMs);
  const event = {
    id: newId(nowMs),
    eventType: 'test' as const,
    eventName: 'test',
    cardId: null,
    cardSequence: null,
    data: { message: 'It works' },
    createdAt: new Date(nowMs),
  };
  const target = { programId: program.id, url: endpoint.url, reach: program.mode, secrets };
  const noFile = () => Promise.reject(new Error('a test has no file'));
  const result = await attemptDelivery(sender, target, event, noFile, signal);
  if (signal?.aborted && 'error' in result) throw new EmbossError(503, 'The server is stopping; retry');
  return {
    delivered: outcomeOf(result) === 'delivered',
    eventId: event.id,
    statusCode: 'error' in result ? null : result.statusCode,
    error: 'error' in result ? result.error : null,
    durationMs: Math.round(result.durationMs),
  };
}
