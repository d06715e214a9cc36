import { EmbossError, invalid, notFound } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { openSecrets } from '../outbound/signing-secret.ts';
import type { Actor } from '../programs/actor.ts';
import { type DecisionKind, endpointOf, REQUEST_KINDS, type RequestName, requestName } from './decision.ts';
import { exampleRequest } from './examples.ts';
import type { EndpointServices } from './manage-endpoints.ts';
import { findDecisionEndpoint } from './queries.ts';
import { sendDecisionRequest } from './send-decision-request.ts';

/**
 * Sends one signed example request, also to a paused endpoint, and returns what the response means,
 * without its bytes: the URL may be of another server than the merchant's. It is not retried, and it counts for no
 * stand-in.
 */
export async function testEndpoint(
  { db, keeper, sender }: EndpointServices,
  actor: Actor,
  kind: DecisionKind,
  eventName: RequestName | undefined,
  signal: AbortSignal,
) {
  const { program } = actor;
  const possible = REQUEST_KINDS.filter((each) => endpointOf(each) === kind);
  const requested = eventName === undefined ? kind : possible.find((each) => requestName(each) === eventName);
  if (!requested)
    throw invalid('eventName', `must be ${possible.map(requestName).join(' or ')} for the kind ${kind}`);
  const endpoint = await findDecisionEndpoint(db, program.id, kind);
  if (!endpoint) throw notFound();
  const { timeoutMs } = endpoint;
  const secrets = await openSecrets(keeper, db, endpoint, Date.now());
  const request = exampleRequest(
    requested,
    newId(Date.now()),
    new Date(actor.now()),
    program.currency,
    timeoutMs,
  );
  const startMs = performance.now();
  const attempt = await sendDecisionRequest(sender, program, endpoint, request, secrets, {
    timeoutMs,
    signal,
  });
  const { outcome, statusCode, error } = attempt;
  if (signal.aborted && statusCode === null) throw new EmbossError(503, 'The server is stopping; retry');
  const durationMs = Math.round(performance.now() - startMs);
  return { outcome, eventId: request.eventId, statusCode, error, durationMs };
}
