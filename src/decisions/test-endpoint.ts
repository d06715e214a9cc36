import { EmbossError, invalid, notFound } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { openSecrets } from '../outbound/signing-secret.ts';
import type { Actor } from '../programs/actor.ts';
import {
  type DecisionEndpoint,
  type DecisionKind,
  endpointOf,
  REQUEST_KINDS,
  type RequestKind,
  type RequestName,
  requestName,
} from './decision.ts';
import { exampleRequest } from './examples.ts';
import type { EndpointServices } from './manage-endpoints.ts';
import { findDecisionEndpoint } from './queries.ts';
import { sendDecisionRequest } from './send-decision-request.ts';

/** Sends a test request to the endpoint of a kind, also to a paused one. */
export async function testEndpoint(
  services: EndpointServices,
  actor: Actor,
  kind: DecisionKind,
  eventName: RequestName | undefined,
  signal: AbortSignal,
) {
  const possible = REQUEST_KINDS.filter((each) => endpointOf(each) === kind);
  const requested = eventName === undefined ? kind : possible.find((each) => requestName(each) === eventName);
  if (!requested)
    throw invalid('eventName', `must be ${possible.map(requestName).join(' or ')} for the kind ${kind}`);
  const endpoint = await findDecisionEndpoint(services.db, actor.program.id, kind);
  if (!endpoint) throw notFound();
  return sendTest(services, actor, endpoint, requested, signal);
}

/**
 * Sends one signed example request and returns what the response means, with its start if it cannot be used and if its
 * address may be shown. It is not retried, and it counts for no stand-in.
 */
export async function sendTest(
  { db, keeper, sender }: EndpointServices,
  actor: Actor,
  endpoint: DecisionEndpoint,
  requested: RequestKind,
  signal: AbortSignal,
) {
  const { program } = actor;
  const { timeoutMs } = endpoint;
  const secrets = await openSecrets(keeper, db, endpoint, Date.now());
  const eventId = newId(Date.now());
  const request = exampleRequest(requested, eventId, new Date(actor.now()), program.currency, timeoutMs);
  const startMs = performance.now();
  const { outcome, statusCode, error, answerStart } = await sendDecisionRequest(
    sender,
    program,
    endpoint,
    request,
    secrets,
    { timeoutMs, signal },
  );
  if (signal.aborted && statusCode === null) throw new EmbossError(503, 'The server is stopping; retry');
  const durationMs = Math.round(performance.now() - startMs);
  return { outcome, eventId, statusCode, error, answerStart, durationMs };
}
