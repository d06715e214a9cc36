import { setMaxListeners } from 'node:events';
import { type TSchema, Type } from 'typebox';
import { declaredOnly, OPTIONAL_BODY } from '../http/body.ts';
import type { AnswerOnce } from '../http/idempotency.ts';
import { badRequest, IdempotencyHeaders, Message, refusal, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { notFound } from '../kernel/error.ts';
import type { Metrics } from '../kernel/metric.ts';
import { reveal } from '../kernel/secret.ts';
import type { Access } from '../programs/access.ts';
import { actorOf } from '../programs/actor.ts';
import { claimOf, markReplay } from '../programs/answer-request.ts';
import { type DecisionKind, ENDPOINTS_CHANGED, type EndpointChange, ROLE_TO_CHANGE } from './decision.ts';
import { EXAMPLE_ENDPOINT, EXAMPLE_TEST } from './examples.ts';
import {
  type EndpointServices,
  findKind,
  presentEndpoint,
  putEndpoint,
  readKind,
  readSettings,
  removeEndpoint,
  rotateSecret,
  type Saved,
} from './manage-endpoints.ts';
import { findDecisionEndpoint } from './queries.ts';
import { requireTestedSettings } from './require-response.ts';
import {
  DecisionEndpointView,
  EndpointBody,
  EndpointPath,
  NewDecisionEndpoint,
  ReplacedDecisionEndpoint,
  RotatedDecisionEndpoint,
  TestAnswer,
  TestBody,
  UNTESTED,
} from './schema.ts';
import { testEndpoint } from './test-endpoint.ts';

/** How an operator proves that a change comes from a person and not from an open session alone. */
export interface Confirmation {
  /** The fields of the body that hold the proof. */
  fields: Record<string, TSchema>;
  /** Throws without the proof. */
  confirm(request: RouteRequest): Promise<void>;
}

export interface DecisionRouteServices extends EndpointServices {
  answerOnce: AnswerOnce;
  metrics: Pick<Metrics, 'count'>;
  /** Undefined for API keys: they need the scope instead. */
  confirmation: Confirmation | undefined;
}

interface RouteRequest {
  headers: { cookie?: string | undefined };
  id: string;
  ip: string;
  getDecorator: <T>(name: string) => T;
  log: { warn: (fields: object, message: string) => void };
}

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const PATH = '/decision-endpoints/:kind/';
const tags = ['Decisions'];
const READ = { scope: 'read', role: 'viewer' } as const satisfies Access;
const CHANGE = {
  scope: 'decisions',
  role: 'manager',
  roleFor: ({ kind = '' }) => ROLE_TO_CHANGE[findKind(kind) ?? 'authorization'],
} as const satisfies Access;

export function decisionRoutes(app: App, services: DecisionRouteServices): void {
  const stop = stopOfTests(app);
  endpointRoutes(app, services, stop);
  secretRoutes(app, services, stop);
}

/** Aborts when the server stops: a slow receiver of a test must not delay that. */
export function stopOfTests(app: App): AbortSignal {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  app.addHook('preClose', async () => stop.abort());
  return stop.signal;
}

const presentSaved = ({ endpoint, isNew, secret }: Saved, currency: string) => ({
  isNew,
  view: { ...presentEndpoint(endpoint, currency), ...(secret && { secret: reveal(secret) }) },
});

/** The body of a change: in the console also the fields of the confirmation, and whether an untested server may decide. */
const bodyWith = (confirmation: Confirmation | undefined) =>
  Type.Object(
    { ...EndpointBody.properties, ...(confirmation && { ...confirmation.fields, untested: UNTESTED }) },
    { title: 'DecisionEndpointRequest' },
  );

/** The body of a change that has no other fields; a key sends none. */
const confirmationBody = (confirmation: Confirmation | undefined) =>
  confirmation && {
    body: Type.Object({ ...confirmation.fields }, { title: 'Confirmation', [OPTIONAL_BODY]: true }),
  };

/** Without the proof, which differs in every repeat and must not be part of what is stored. */
const withoutProof = (body: object, confirmation: Confirmation | undefined): object =>
  Object.fromEntries(
    Object.entries(body).filter(([name]) => !Object.hasOwn(confirmation?.fields ?? {}, name)),
  );

/** After the commit: a change that is not expected must be noticed. */
function noteChange(
  { metrics }: DecisionRouteServices,
  request: RouteRequest,
  kind: DecisionKind,
  change: EndpointChange,
): void {
  const { id, address, program } = actorOf(request);
  metrics.count(ENDPOINTS_CHANGED, { kind });
  request.log.warn(
    { reqId: request.id, programId: program.id, kind, change, actor: id, address },
    'a decision endpoint was changed',
  );
}

function endpointRoutes(app: App, services: DecisionRouteServices, stop: AbortSignal): void {
  app.put(
    PATH,
    {
      config: CHANGE,
      schema: {
        tags,
        operationId: 'putDecisionEndpoint',
        summary: 'Create or replace a decision endpoint',
        description:
          'The URL that decides authorizations in the modes `REAL_TIME` and `BOTH` (`authorization`), decides authentications (`authentication`), or sends one-time passwords (`otp`). All settings are replaced: a missing one gets its default. ' +
          'The secret that verifies requests (Standard Webhooks) is shown only once, when the endpoint is created. It stays if the URL stays on its host and port; on another host or port the endpoint gets a new secret. ' +
          'Every change creates the event `security.endpoint_changed`. ' +
          'Send an Idempotency-Key to retry safely: a repeated request within 24 hours gets the same secret.',
        headers: IdempotencyHeaders,
        params: EndpointPath,
        body: bodyWith(services.confirmation),
        response: {
          200: success(ReplacedDecisionEndpoint, 'Replaced', EXAMPLE_ENDPOINT),
          201: success(NewDecisionEndpoint, 'Created', { ...EXAMPLE_ENDPOINT, secret: SECRET }),
          ...badRequest([400, 'standIn: is required if onFailure is APPROVE']),
        },
      },
    },
    async (request, reply) => {
      const kind = readKind(request.params.kind);
      const actor = actorOf(request);
      const { currency } = actor.program;
      const body = declaredOnly(EndpointBody, request.body as EndpointBody);
      // Checked before the second factor's code is used up.
      const settings = readSettings(kind, body, actor.program, services.sender);
      // A repeat must be confirmed too, because it gets the secret.
      await services.confirmation?.confirm(request);
      const { untested } = request.body as { untested?: boolean };
      if (services.confirmation && !untested)
        await requireTestedSettings(services, actor, kind, settings, stop);
      const claim = claimOf(request, {
        endpoint: `PUT decision-endpoints/${kind}`,
        request: withoutProof(request.body as object, services.confirmation),
      });
      const answered = services.answerOnce(claim, async (remember) => {
        const saved = await putEndpoint(services, actor, kind, body, {
          remember: (tx, saved) => remember(tx, presentSaved(saved, currency)),
        });
        noteChange(services, request, kind, saved.isNew ? 'created' : 'replaced');
        return presentSaved(saved, currency);
      });
      const { isNew, view } = await markReplay(reply, answered);
      reply.code(isNew ? 201 : 200).header('cache-control', 'no-store');
      return view as never;
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
      config: CHANGE,
      schema: {
        ...operation(
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
        ...confirmationBody(services.confirmation),
      },
    },
    async (request) => {
      const kind = readKind(request.params.kind);
      await services.confirmation?.confirm(request);
      await removeEndpoint(services, actorOf(request), kind);
      noteChange(services, request, kind, 'removed');
      return removed;
    },
  );
}

function secretRoutes(app: App, services: DecisionRouteServices, stop: AbortSignal): void {
  app.post(
    `${PATH}rotate-secret/`,
    {
      config: CHANGE,
      schema: {
        ...operation('rotateDecisionSecret', 'Rotate the secret', RotatedDecisionEndpoint, {
          ...EXAMPLE_ENDPOINT,
          secret: SECRET,
          previousSignsUntil: '2026-11-16T08:30:00+0000',
        }),
        ...confirmationBody(services.confirmation),
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const kind = readKind(request.params.kind);
      await services.confirmation?.confirm(request);
      const rotated = await rotateSecret(services, actor, kind);
      noteChange(services, request, kind, 'secret_rotated');
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
        scope: 'write',
        role: 'manager',
        audit: { action: 'console.testDecisionEndpoint', fields: ['kind'] },
      } satisfies Access,
      schema: {
        ...operation(
          'testDecisionEndpoint',
          'Request a test decision now',
          TestAnswer,
          EXAMPLE_TEST,
          badRequest([400, 'eventName: must be otp.request for the kind otp']),
        ),
        body: TestBody,
      },
    },
    async (request) =>
      (await testEndpoint(
        services,
        actorOf(request),
        readKind(request.params.kind),
        request.body.eventName,
        stop,
      )) as never,
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
