import { setTimeout as pause } from 'node:timers/promises';
import { type Accepted, type Ask, differences, type Effect, type Json, type Look } from './effect.ts';
import { ANSWER, eventTypeOf, type Inbox, isSignedWith } from './inbox.ts';
import { GONE, remember } from './pool.ts';

const ENDPOINTS = '/api/v1/merchant/webhook-endpoints/';
const EVENTS = '/api/v1/merchant/webhook-events/';
const NEWEST = `${EVENTS}?page_size=100`;
const ARRIVED_WITHIN_MS = 30_000;
/** How long the secret before the present one goes on signing. */
const ROTATION_MS = 86_400_000;
/** The one that signs, the one that signs too, and one that does so no longer. */
const MOST_SECRETS = 3;
/** Times are told in whole seconds. */
const SECOND_MS = 1_000;

const endpointOf = async (ask: Ask, id: string | undefined): Promise<Json> =>
  (await ask('GET', `${ENDPOINTS}${id}/`)).body;

const endpointsOf = async (ask: Ask): Promise<Json[]> => (await ask('GET', ENDPOINTS)).body.webhookEndpoints;

export const addWebhookEndpoint: Effect = async ({ sent, answer, pool, ask, inbox }) => {
  remember(pool.endpoints, answer.id);
  pool.secrets.set(answer.id, [answer.secret]);
  const endpoint = await endpointOf(ask, answer.id);
  const wrong = differences(
    { ...endpoint, eventTypes: endpoint.eventTypes?.toSorted() ?? null },
    {
      url: new URL(sent.url).href,
      eventTypes: sent.eventTypes ? [...new Set(sent.eventTypes)].sort() : null,
    },
  );
  // As it was read back: what was sent may come to another path.
  const isGone = endpoint.url.startsWith(inbox.url + GONE);
  return isGone ? [...wrong, ...(await disable(ask, inbox, endpoint))] : wrong;
};

/** Sends to it at once what it answers with "gone", so that what follows does not depend on how fast the worker is. */
async function disable(ask: Ask, inbox: Inbox, { id, url }: Json): Promise<string[]> {
  const { body } = await ask('GET', NEWEST);
  const [event] = body.results;
  if (!event) return [];
  inbox.sayGoneOnce(url);
  const { status } = await ask('POST', `${EVENTS}${event.eventId}/resend/?endpointId=${id}`);
  if (status !== 200) return [`sending again is answered ${status}`];
  const untilMs = performance.now() + ARRIVED_WITHIN_MS;
  while (isEnabled(await endpointOf(ask, id))) {
    if (performance.now() > untilMs) return ['an endpoint that is gone is enabled still'];
    await pause(20);
  }
  return [];
}

export const removeWebhookEndpoint: Effect = async ({ request, pool, ask }) => {
  const id = request.parameters['endpointId'] as string;
  pool.endpoints = pool.endpoints.filter((other) => other !== id);
  pool.secrets.delete(id);
  const { status } = await ask('GET', `${ENDPOINTS}${id}/`);
  return status === 404 ? [] : [`a removed endpoint is answered ${status}`];
};

/** The endpoint as it is before something is done with it, and when that was asked for. */
export const lookAtEndpoint: Look = async ({ parameters }, _pool, ask) => ({
  endpoint: await endpointOf(ask, parameters['endpointId']),
  askedMs: Date.now(),
});

export const enableWebhookEndpoint: Effect = async ({ request, answer, before, ask }) => {
  const { id, url, eventTypes, created } = before.endpoint;
  const wanted = { id, url, eventTypes, created, status: 'ENABLED', statusReason: null };
  const after = await endpointOf(ask, request.parameters['endpointId']);
  return [...differences(answer, wanted), ...differences(after, wanted)];
};

/** It arrived, and whoever has the secret can tell that it is ours. */
export const testWebhookEndpoint: Effect = ({ request, answer, before, pool, inbox }) =>
  wrongTest(inbox, before.endpoint.url, answer, pool.secrets.get(request.parameters['endpointId'] as string));

/** What is sent now is signed with the new secret and with the one before it. */
export const rotateWebhookSecret: Effect = async ({ request, answer, before, pool, ask, inbox }) => {
  const id = request.parameters['endpointId'] as string;
  const known = pool.secrets.get(id) ?? [];
  const secrets = [answer.secret, ...known].slice(0, MOST_SECRETS);
  pool.secrets.set(id, secrets);
  const { url, eventTypes, created } = before.endpoint;
  const wrong = differences(answer, { id, url, eventTypes, created });
  if (known.includes(answer.secret)) wrong.push('a new secret is an old one');
  const rotatedMs = Date.parse(answer.previousSignsUntil) - ROTATION_MS;
  if (rotatedMs < before.askedMs - SECOND_MS || rotatedMs > Date.now())
    wrong.push(
      `asked for at ${new Date(before.askedMs).toISOString()}, the secret before signs until ${answer.previousSignsUntil}`,
    );
  const { body } = await ask('POST', `${ENDPOINTS}${id}/test/`);
  return [...wrong, ...wrongTest(inbox, url, body, secrets)];
};

/** Newest first. The present one signs, and the one before it; none that is older. */
function wrongTest(inbox: Inbox, url: string, answer: Json, secrets: string[] = []): string[] {
  if (!url.startsWith(inbox.url)) return [];
  const wrong = differences(answer, { delivered: true, statusCode: 200, error: null, answerStart: ANSWER });
  const [receipt, ...more] = inbox.receiptsOf(answer.eventId, url, 0);
  if (!receipt || more.length > 0)
    return [...wrong, `a test arrived ${more.length + (receipt ? 1 : 0)} times`];
  if (eventTypeOf(receipt.text) !== 'test') wrong.push(`a test is of the type ${eventTypeOf(receipt.text)}`);
  for (const [age, secret] of secrets.entries()) {
    const signs = isSignedWith(secret, receipt);
    if (signs !== age < 2)
      wrong.push(`the secret of ${age} rotations ago ${signs ? 'signs' : 'does not sign'} what is sent now`);
  }
  return wrong;
}

interface BeforeSending {
  endpoints: Json[];
  askedMs: number;
}

export const lookAtEvent: Look = async (_request, _pool, ask) => ({
  endpoints: await endpointsOf(ask),
  askedMs: performance.now(),
});

export const resendWebhookEvent: Effect = async (accepted) => {
  const { request, answer, ask } = accepted;
  const before: BeforeSending = accepted.before;
  const eventId = request.parameters['eventId'] as string;
  const named = new URL(request.target, 'http://emboss').searchParams.get('endpointId');
  const { body: event } = await ask('GET', `${EVENTS}${eventId}/`);
  const targets = before.endpoints.filter(
    (endpoint) => isEnabled(endpoint) && (named === null ? wants(endpoint, event) : endpoint.id === named),
  );
  if (answer.deliveries !== targets.length)
    return [`${targets.length} endpoints want it, and ${answer.deliveries} get it`];
  return untilArrived(
    accepted,
    targets.map((endpoint) => ({ eventId, endpoint })),
  );
};

interface Missing {
  eventId: string;
  endpoint: Json;
}

/**
 * Of the newest events, those that an endpoint wants, that came up since it is there, and that never got to it. They are
 * all if the page goes back to before the endpoints: nothing fails for good in a run.
 */
async function readMissing(ask: Ask, endpoints: Json[], since: string, named?: string) {
  const { body } = await ask('GET', NEWEST);
  const sinceMs = Date.parse(since) + SECOND_MS;
  const wanting = endpoints.filter(
    (endpoint) => isEnabled(endpoint) && (named === undefined || endpoint.id === named),
  );
  const missing: Missing[] = wanting.flatMap((endpoint) =>
    body.results
      .filter((event: Json) => Date.parse(event.created) >= sinceMs)
      .filter((event: Json) => wants(endpoint, event) && isMissing(event, endpoint.id))
      .map(({ eventId }: Json) => ({ eventId, endpoint })),
  );
  const oldest = body.results.at(-1);
  const reachesBack = body.next === null || wanting.every(({ id }) => id > oldest.eventId);
  const isAfterSince = body.results.every(({ created }: Json) => Date.parse(created) >= sinceMs);
  return { missing, areAll: reachesBack && isAfterSince };
}

function isMissing({ eventId, deliveries }: Json, endpointId: string): boolean {
  const had = deliveries.find((delivery: Json) => delivery.endpointId === endpointId);
  return had ? had.status === 'FAILED' : eventId > endpointId;
}

export const lookAtMissed: Look = async ({ value }, _pool, ask) => {
  const { since, endpointId } = value as Json;
  const endpoints = await endpointsOf(ask);
  return { endpoints, ...(await readMissing(ask, endpoints, since, endpointId)), askedMs: performance.now() };
};

export const resendMissedWebhookEvents: Effect = async (accepted) => {
  const { sent, answer, ask } = accepted;
  const before: BeforeSending & { missing: Missing[]; areAll: boolean } = accepted.before;
  // An event's id as "since" is none that a lane sends on purpose.
  if (Number.isNaN(Date.parse(sent.since))) return [];
  const wrong: string[] = [];
  const count = before.missing.length;
  if (answer.deliveries < count || (before.areAll && answer.deliveries > count))
    wrong.push(`${count} were missing, and ${answer.deliveries} are sent`);
  const { missing } = await readMissing(ask, before.endpoints, sent.since, sent.endpointId);
  if (answer.next === null && missing.length > 0) wrong.push(`${missing.length} are missing still`);
  return [...wrong, ...(await untilArrived(accepted, before.missing))];
};

const isEnabled = ({ status }: Json): boolean => status === 'ENABLED';
const wants = ({ eventTypes }: Json, { eventType }: Json): boolean =>
  eventTypes === null || eventTypes.includes(eventType);

/** Waits for the worker: each came in once more since it was asked for, signed with a secret of its endpoint. */
async function untilArrived({ before, pool, ask, inbox }: Accepted, sent: Missing[]): Promise<string[]> {
  const untilMs = performance.now() + ARRIVED_WITHIN_MS;
  for (const { eventId, endpoint } of sent.filter(({ endpoint: { url } }) => url.startsWith(inbox.url))) {
    // Two endpoints may have one address: the secret tells them apart. A worker may still sign with the one before.
    const secrets = pool.secrets.get(endpoint.id);
    const hasArrived = () =>
      inbox
        .receiptsOf(eventId, endpoint.url, before.askedMs)
        .some((receipt) => !secrets || secrets.some((secret) => isSignedWith(secret, receipt)));
    while (!hasArrived()) {
      if (!isEnabled(await endpointOf(ask, endpoint.id))) return [`${endpoint.id} was disabled`];
      if (performance.now() > untilMs) return [`${eventId} did not arrive at ${endpoint.id}`];
      await pause(20);
    }
  }
  return [];
}
