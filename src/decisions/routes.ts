import { setMaxListeners } from 'node:events';
import type { TSchema } from 'typebox';
import { declaredOnly } from '../http/body.ts';
import type { AnswerOnce } from '../http/idempotency.ts';
import { badRequest, IdempotencyHeaders, Message, refusal, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { notFound } from '../kernel/error.ts';
import { reveal } from '../kernel/secret.ts';
import type { Access } from '../programs/access.ts';
import { actorOf } from '../programs/actor.ts';
import { claimOf, markReplay } from '../programs/answer-request.ts';
import { EXAMPLE_ENDPOINT, EXAMPLE_TEST } from './examples.ts';
import {
  type EndpointServices,
  presentEndpoint,
  putEndpoint,
  readKind,
  removeEndpoint,
  rotateSecret,
  type Saved,
} from './manage-endpoints.ts';
import { findDecisionEndpoint } from './queries.ts';
import {
  DecisionEndpointView,
  EndpointBody,
  EndpointPath,
  NewDecisionEndpoint,
  RotatedDecisionEndpoint,
  TestAnswer,
} from './schema.ts';
import { testEndpoint } from './test-endpoint.ts';

export interface DecisionRouteServices extends EndpointServices {
  answerOnce: AnswerOnce;
}

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const PATH = '/decision-endpoints/:kind/';
const tags = ['Decisions'];
const READ = { scope: 'read', role: 'viewer' } as const satisfies Access;
const WRITE = { scope: 'write', role: 'manager' } as const satisfies Access;

export function decisionRoutes(app: App, services: DecisionRouteServices): void {
  endpointRoutes(app, services);
  secretRoutes(app, services);
}

const presentSaved = ({ endpoint, secret }: Saved, currency: string) => ({
  ...presentEndpoint(endpoint, currency),
  ...(secret && { secret: reveal(secret) }),
});

function endpointRoutes(app: App, services: DecisionRouteServices): void {
  app.put(
    PATH,
    {
      config: WRITE,
      schema: {
        tags,
        operationId: 'putDecisionEndpoint',
        summary: 'Create or replace a decision endpoint',
        description:
          'The URL that decides authorizations in the modes `REAL_TIME` and `BOTH` (`authorization`), decides authentications (`authentication`), or sends one-time passwords (`otp`). All settings are replaced: a missing one gets its default. ' +
          'The secret that verifies requests (Standard Webhooks) is shown only once, when the endpoint is created; replacing the endpoint keeps it. ' +
          'Send an Idempotency-Key to retry safely: a repeated request within 24 hours gets the same secret.',
        headers: IdempotencyHeaders,
        params: EndpointPath,
        body: EndpointBody,
        response: {
          200: success(DecisionEndpointView, 'Replaced', EXAMPLE_ENDPOINT),
          201: success(NewDecisionEndpoint, 'Created', { ...EXAMPLE_ENDPOINT, secret: SECRET }),
          ...badRequest([400, 'standIn: is required if onFailure is APPROVE']),
        },
      },
    },
    async (request, reply) => {
      const kind = readKind(request.params.kind);
      const actor = actorOf(request);
      const { currency } = actor.program;
      const body = declaredOnly(EndpointBody, request.body);
      const claim = claimOf(request, {
        endpoint: `PUT decision-endpoints/${kind}`,
        request: request.body,
      });
      const answered = services.answerOnce(claim, async (remember) =>
        presentSaved(
          await putEndpoint(services, actor, kind, body, (tx, saved) =>
            remember(tx, presentSaved(saved, currency)),
          ),
          currency,
        ),
      );
      const answer = await markReplay(reply, answered);
      reply.code(answer.secret === undefined ? 200 : 201).header('cache-control', 'no-store');
      return answer as never;
    },
  );

  app.get(
    PATH,
    {
      config: READ,
      schema: operation(
        'getDecisionEndpoint',
        'Get a decision endpoint',
        DecisionEndpointView,
        EXAMPLE_ENDPOINT,
      ),
    },
    async (request) => {
      const { program } = actorOf(request);
      const endpoint = await findDecisionEndpoint(services.db, program.id, readKind(request.params.kind));
      if (!endpoint) throw notFound();
      return presentEndpoint(endpoint, program.currency) as never;
    },
  );

  const removed = { message: 'Decision endpoint removed' };
  app.delete(
    PATH,
    {
      config: WRITE,
      schema: operation(
        'removeDecisionEndpoint',
        'Remove a decision endpoint',
        Message,
        removed,
        refusal(
          409,
          "The program's authorization mode needs the endpoint",
          "The program's authorization mode REAL_TIME needs this endpoint; change the mode to STANDARD first",
        ),
      ),
    },
    async (request) => {
      await removeEndpoint(services, actorOf(request), readKind(request.params.kind));
      return removed;
    },
  );
}

function secretRoutes(app: App, services: DecisionRouteServices): void {
  // A slow receiver of a test must not delay the shutdown of the server.
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  app.addHook('preClose', async () => stop.abort());

  app.post(
    `${PATH}rotate-secret/`,
    {
      config: WRITE,
      schema: operation('rotateDecisionSecret', 'Rotate the secret', RotatedDecisionEndpoint, {
        ...EXAMPLE_ENDPOINT,
        secret: SECRET,
        previousSignsUntil: '2026-11-16T08:30:00+0000',
      }),
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const rotated = await rotateSecret(services, actor, readKind(request.params.kind));
      reply.header('cache-control', 'no-store');
      return {
        ...presentEndpoint(rotated.endpoint, actor.program.currency),
        secret: reveal(rotated.secret),
        previousSignsUntil: formatTimestamp(rotated.previousSignsUntil),
      } as never;
    },
  );

  app.post(
    `${PATH}test/`,
    {
      config: {
        ...WRITE,
        audit: { action: 'console.testDecisionEndpoint', fields: ['kind'] },
      } satisfies Access,
      schema: operation('testDecisionEndpoint', 'Request a test decision now', TestAnswer, EXAMPLE_TEST),
    },
    async (request) =>
      (await testEndpoint(services, actorOf(request), readKind(request.params.kind), stop.signal)) as never,
  );
}

/** The schema of an operation on an endpoint without other parameters. */
const operation = <Answer extends TSchema>(
  operationId: string,
  summary: string,
  answer: Answer,
  example: unknown,
  more: Record<number, TSchema> = {},
) => ({
  tags,
  operationId,
  summary,
  params: EndpointPath,
  response: { 200: success(answer, 'Done', example), ...more },
});
