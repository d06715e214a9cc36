import { setMaxListeners } from 'node:events';
import { type TSchema, Type } from 'typebox';
import { findEndpoint, listEndpoints } from '../events/endpoint-queries.ts';
import { declaredOnly } from '../http/body.ts';
import type { AnswerOnce } from '../http/idempotency.ts';
import { PageQuery, pageEnvelope, pageOf, readPageQuery } from '../http/paging.ts';
import { badRequest, IdempotencyHeaders, Message, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { reveal } from '../kernel/secret.ts';
import { schemasOf } from '../lists/filters.ts';
import type { Access } from '../programs/access.ts';
import { actorOf } from '../programs/actor.ts';
import { claimOf, markReplay } from '../programs/answer-request.ts';
import { presentEndpoint } from './endpoint.ts';
import { EXAMPLE_ENDPOINT, EXAMPLE_EVENT, EXAMPLE_TEST } from './examples.ts';
import { type EventIdsOf, eventFilters } from './filters.ts';
import { listEvents, retrieveEvent } from './list-events.ts';
import {
  addEndpoint,
  type EndpointServices,
  editEndpoint,
  enableEndpoint,
  removeEndpoint,
  rotateSecret,
  type WithSecret,
} from './manage-endpoints.ts';
import { resendEvent, resendMissed } from './resend-events.ts';
import {
  EndpointBody,
  EndpointChange,
  EndpointList,
  EndpointPath,
  EventPath,
  NewEndpoint,
  ResendAnswer,
  ResendMissedAnswer,
  ResendMissedBody,
  ResendQuery,
  RotatedEndpoint,
  TestAnswer,
  WebhookEndpoint,
  WebhookEvent,
} from './schema.ts';
import { testEndpoint } from './test-endpoint.ts';

export interface WebhookRouteServices extends EndpointServices {
  answerOnce: AnswerOnce;
  publicUrl: string;
  eventIdsOf: EventIdsOf;
  onError: (error: unknown) => void;
}

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** The approximate time limit of a request to resend all missed events. */
const RESEND_MS = 5_000;
const tags = ['Webhooks'];
const READ = { scope: 'read', role: 'viewer' } as const satisfies Access;
const WRITE = { scope: 'write', role: 'manager' } as const satisfies Access;
const RESEND = { scope: 'write', role: 'support' } as const satisfies Access;

export function webhookRoutes(app: App, services: WebhookRouteServices): void {
  endpointRoutes(app, services);
  secretRoutes(app, services);
  eventRoutes(app, services);
  resendRoutes(app, services);
}

const presentAdded = ({ endpoint, secret }: WithSecret) => ({
  ...presentEndpoint(endpoint),
  secret: reveal(secret),
});

function endpointRoutes(app: App, services: WebhookRouteServices): void {
  const { db } = services;

  app.post(
    '/webhook-endpoints/',
    {
      config: WRITE,
      schema: {
        tags,
        operationId: 'addWebhookEndpoint',
        summary: 'Add a webhook endpoint',
        description:
          'A program can have up to 5 endpoints. The secret that verifies deliveries (Standard Webhooks) is shown only once. Send an Idempotency-Key to retry safely: a repeated request within 24 hours gets the same secret.',
        headers: IdempotencyHeaders,
        body: EndpointBody,
        response: {
          201: success(NewEndpoint, 'Added', { ...EXAMPLE_ENDPOINT, secret: SECRET }),
          ...badRequest([400, 'url: must be https']),
        },
      },
    },
    async (request, reply) => {
      const { url, eventTypes = null } = declaredOnly(EndpointBody, request.body);
      const claim = claimOf(request, { endpoint: 'POST webhook-endpoints', request: request.body });
      const answered = services.answerOnce(claim, async (remember) =>
        presentAdded(
          await addEndpoint(services, actorOf(request), { url, eventTypes }, (tx, added) =>
            remember(tx, presentAdded(added)),
          ),
        ),
      );
      reply.code(201).header('cache-control', 'no-store');
      return (await markReplay(reply, answered)) as never;
    },
  );

  app.get(
    '/webhook-endpoints/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listWebhookEndpoints',
        summary: 'List webhook endpoints',
        response: {
          200: success(EndpointList, 'All endpoints of the program', {
            webhookEndpoints: [EXAMPLE_ENDPOINT],
          }),
        },
      },
    },
    async (request) => {
      const endpoints = await listEndpoints(db, actorOf(request).program.id);
      return { webhookEndpoints: endpoints.map(presentEndpoint) } as never;
    },
  );

  app.get(
    '/webhook-endpoints/:endpointId/',
    {
      config: READ,
      schema: operation('getWebhookEndpoint', 'Get a webhook endpoint', WebhookEndpoint, EXAMPLE_ENDPOINT),
    },
    async (request) => {
      const { endpointId } = request.params;
      const { program } = actorOf(request);
      const endpoint = isId(endpointId) ? await findEndpoint(db, program.id, endpointId) : undefined;
      if (!endpoint) throw notFound();
      return presentEndpoint(endpoint) as never;
    },
  );

  app.put(
    '/webhook-endpoints/:endpointId/',
    {
      config: WRITE,
      schema: {
        ...operation('updateWebhookEndpoint', 'Change, pause or resume a webhook endpoint', WebhookEndpoint, {
          ...EXAMPLE_ENDPOINT,
          status: 'PAUSED',
        }),
        description:
          'Sets the URL and the event types. The secret stays the same. While an endpoint is paused its deliveries wait; they are sent when it resumes. Events of types that were not selected at the time are not sent later.',
        body: EndpointChange,
        response: {
          200: success(WebhookEndpoint, 'Changed', { ...EXAMPLE_ENDPOINT, status: 'PAUSED' }),
          ...badRequest([400, 'url: must be https']),
        },
      },
    },
    async (request) => {
      const { url, eventTypes, paused } = declaredOnly(EndpointChange, request.body);
      const wanted = { url, eventTypes, paused };
      return presentEndpoint(
        await editEndpoint(services, actorOf(request), request.params.endpointId, wanted),
      ) as never;
    },
  );

  app.delete(
    '/webhook-endpoints/:endpointId/',
    {
      config: WRITE,
      schema: operation('removeWebhookEndpoint', 'Remove a webhook endpoint', Message, {
        message: 'Webhook endpoint removed',
      }),
    },
    async (request) => {
      await removeEndpoint(services, actorOf(request), request.params.endpointId);
      return { message: 'Webhook endpoint removed' };
    },
  );
}

function secretRoutes(app: App, services: WebhookRouteServices): void {
  // A slow receiver of a test must not delay the shutdown of the server.
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  app.addHook('preClose', async () => stop.abort());

  app.post(
    '/webhook-endpoints/:endpointId/rotate-secret/',
    {
      config: WRITE,
      schema: operation('rotateWebhookSecret', 'Rotate the secret', RotatedEndpoint, {
        ...EXAMPLE_ENDPOINT,
        secret: SECRET,
        previousSignsUntil: '2026-11-16T08:30:00+0000',
      }),
    },
    async (request, reply) => {
      const rotated = await rotateSecret(services, actorOf(request), request.params.endpointId);
      reply.header('cache-control', 'no-store');
      return {
        ...presentEndpoint(rotated.endpoint),
        secret: reveal(rotated.secret),
        previousSignsUntil: formatTimestamp(rotated.previousSignsUntil),
      } as never;
    },
  );

  app.post(
    '/webhook-endpoints/:endpointId/test/',
    {
      config: {
        ...WRITE,
        audit: { action: 'console.testWebhookEndpoint', fields: ['endpointId'] },
      } satisfies Access,
      schema: operation('testWebhookEndpoint', 'Send a test event now', TestAnswer, EXAMPLE_TEST),
    },
    async (request) => testEndpoint(services, actorOf(request), request.params.endpointId, stop.signal),
  );

  app.post(
    '/webhook-endpoints/:endpointId/enable/',
    {
      config: WRITE,
      schema: operation(
        'enableWebhookEndpoint',
        'Enable an endpoint that was disabled',
        WebhookEndpoint,
        EXAMPLE_ENDPOINT,
      ),
    },
    async (request) =>
      presentEndpoint(await enableEndpoint(services, actorOf(request), request.params.endpointId)) as never,
  );
}

function eventRoutes(app: App, { db, publicUrl, eventIdsOf, onError }: WebhookRouteServices): void {
  const filters = eventFilters(eventIdsOf);
  app.get(
    '/webhook-events/',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listWebhookEvents',
        summary: 'List events with their deliveries',
        description: 'Newest first, each with all delivery attempts.',
        querystring: Type.Object({ ...schemasOf(filters), ...PageQuery.properties }),
        response: {
          200: pageOf(WebhookEvent, 'A page of events, newest first', EXAMPLE_EVENT),
          ...badRequest([400, 'page: must be at least 1']),
        },
      },
    },
    async (request) => {
      const query = readPageQuery(request.query);
      const { count, events, found } = await listEvents(
        db,
        actorOf(request),
        query,
        [filters, request.query],
        onError,
      );
      const url = `${publicUrl}/api/v1/merchant/webhook-events/`;
      return pageEnvelope(url, request.query, query.pageSize, count, events, { found }) as never;
    },
  );

  app.get(
    '/webhook-events/:eventId/',
    {
      config: READ,
      schema: {
        ...operation('getWebhookEvent', 'Get an event with its deliveries', WebhookEvent, EXAMPLE_EVENT),
        params: EventPath,
      },
    },
    async (request) =>
      (await retrieveEvent(db, actorOf(request).program.id, request.params.eventId)) as never,
  );
}

function resendRoutes(app: App, { db }: WebhookRouteServices): void {
  const example = { message: 'Resending', deliveries: 1 };

  app.post(
    '/webhook-events/:eventId/resend/',
    {
      config: {
        ...RESEND,
        audit: { action: 'console.resendWebhookEvent', fields: ['eventId'] },
      } satisfies Access,
      schema: {
        tags,
        operationId: 'resendWebhookEvent',
        summary: 'Resend an event',
        description:
          'Resends the event with the same id to the enabled endpoints that receive its type, whether or not it was delivered before.',
        params: EventPath,
        querystring: ResendQuery,
        response: {
          200: success(ResendAnswer, 'Started', example),
          ...badRequest([400, 'endpointId: is not a webhook endpoint in this program']),
        },
      },
    },
    async (request) => {
      const { id } = actorOf(request).program;
      const { eventId } = request.params;
      return sendingAgain(await resendEvent(db, id, eventId, request.query.endpointId));
    },
  );

  app.post(
    '/webhook-events/resend/',
    {
      config: {
        ...RESEND,
        audit: { action: 'console.resendMissedWebhookEvents', fields: ['since', 'endpointId'] },
      } satisfies Access,
      schema: {
        tags,
        operationId: 'resendMissedWebhookEvents',
        summary: 'Resend undelivered events',
        description:
          'Resends deliveries that failed or wait for a retry, and events that occurred while an endpoint was disabled, but no events older than the ' +
          'endpoint. One request runs for a few seconds: repeat it with `next` as `since` until `next` is null.',
        body: ResendMissedBody,
        response: {
          200: success(ResendMissedAnswer, 'Started', { ...example, next: null }),
          ...badRequest([
            400,
            'since: must be a timestamp with an offset, such as 2026-12-01T00:00:00Z, or `next` from a previous response',
          ]),
        },
      },
    },
    async (request) => {
      const { since, endpointId } = request.body;
      const { id } = actorOf(request).program;
      const deadline = performance.now() + RESEND_MS;
      const { deliveries, next } = await resendMissed(db, id, since, endpointId, deadline);
      const answer = sendingAgain(deliveries);
      return { ...answer, ...(next && { message: 'Resending; continue with `next`' }), next } as never;
    },
  );
}

const sendingAgain = (deliveries: number) => ({
  message: deliveries === 0 ? 'Nothing to resend' : 'Resending',
  deliveries,
});

/** The schema of an operation on one endpoint without other parameters. */
const operation = <Answer extends TSchema>(
  operationId: string,
  summary: string,
  answer: Answer,
  example: unknown,
) => ({
  tags,
  operationId,
  summary,
  params: EndpointPath,
  response: { 200: success(answer, 'Done', example) },
});
