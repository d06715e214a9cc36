import { DECISION_KINDS, type DecisionKind } from '../../decisions/decision.ts';
import { EXAMPLE_ENDPOINT } from '../../decisions/examples.ts';
import { type EndpointServices, presentEndpoint } from '../../decisions/manage-endpoints.ts';
import { findDecisionEndpoint } from '../../decisions/queries.ts';
import { requireTestedMode } from '../../decisions/require-response.ts';
import { stopOfTests } from '../../decisions/routes.ts';
import { openAnswer } from '../../decisions/seal-answer.ts';
import { setAuthorizationMode } from '../../decisions/set-authorization-mode.ts';
import { badRequest, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { type Access, isAtLeast } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { operatorOf } from '../confirm-request.ts';
import { readDecisionTimes } from './read-decision-times.ts';
import { DecisionSettings, DecisionTimes, Mode, ModeBody } from './schema.ts';

const EXAMPLE_SETTINGS = {
  authorizationMode: 'REAL_TIME',
  endpoints: {
    authorization: {
      ...EXAMPLE_ENDPOINT,
      lastFailure: {
        ...{ at: '2026-11-15T02:11:00+0000', outcome: 'unreachable', statusCode: 502 },
        ...{ error: 'the response status is not 200', answerStart: 'Bad gateway' },
      },
    },
    authentication: null,
    otp: null,
  },
};

/** The endpoints themselves are managed by the routes of the merchant API. */
export function decisionSettingRoutes(app: App, services: EndpointServices): void {
  const { db, keeper } = services;
  const stop = stopOfTests(app);

  app.get(
    '/decisions/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'consoleDecisionSettings',
        summary: 'Get the authorization mode and the decision endpoints',
        response: {
          200: success(DecisionSettings, 'The settings', EXAMPLE_SETTINGS),
          ...badRequest([400, 'host: is required']),
        },
      },
    },
    async (request) => {
      const { id, currency, authorizationMode } = actorOf(request).program;
      const isShown = isAtLeast(operatorOf(request).role, 'manager');
      const present = async (kind: DecisionKind) => {
        const endpoint = await findDecisionEndpoint(db, id, kind);
        if (!endpoint) return [kind, null] as const;
        const { lastFailure: failure } = endpoint;
        const answerStart = failure && isShown ? await openAnswer(keeper, db, endpoint, failure) : null;
        const lastFailure = failure && { ...failure, answerStart };
        return [kind, { ...presentEndpoint(endpoint, currency), lastFailure }] as const;
      };
      const endpoints = Object.fromEntries(await Promise.all(DECISION_KINDS.map(present)));
      return { authorizationMode, endpoints } as never;
    },
  );

  app.put(
    '/decisions/mode/',
    {
      config: { role: 'admin' } satisfies Access,
      schema: {
        operationId: 'consoleSetAuthorizationMode',
        summary: 'Change the authorization mode',
        description:
          'Applies to new authorizations; a transaction keeps the mode in which it was made. `REAL_TIME` and `BOTH` need a decision endpoint that gives a usable response to a test request, which is sent first.',
        body: ModeBody,
        response: {
          200: success(Mode, 'Changed', { authorizationMode: 'REAL_TIME' }),
          ...badRequest([400, 'authorizationMode: must be one of STANDARD, REAL_TIME, BOTH']),
          ...refusal(
            409,
            'The mode needs a decision endpoint that passes a test',
            'The authorization mode REAL_TIME needs a decision endpoint; first create one with PUT /api/v1/merchant/decision-endpoints/authorization/',
          ),
        },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { authorizationMode: wanted, untested } = request.body;
      if (!untested) await requireTestedMode(services, actor, wanted, stop);
      const { authorizationMode } = await setAuthorizationMode(db, actor, wanted);
      return { authorizationMode };
    },
  );

  app.get(
    '/decisions/times/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'consoleDecisionTimes',
        summary: 'Get the response times of the decision endpoint',
        description: 'For the last 24 hours, by the hour, with the number of timeouts and failures.',
        response: {
          200: success(DecisionTimes, 'The response times', {
            now: '2026-11-15T08:32:00+0000',
            slices: [
              {
                start: '2026-11-15T08:00:00+0000',
                answered: 412,
                timeouts: 1,
                failures: 0,
                p50Ms: 38,
                p99Ms: 190,
                sampled: false,
              },
            ],
          }),
          ...badRequest([400, 'host: is required']),
        },
      },
    },
    async (request) => readDecisionTimes({ db }, actorOf(request)),
  );
}
