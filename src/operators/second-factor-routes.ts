import { badRequest, errorResponses, refusal, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { reveal, type Secret } from '../kernel/secret.ts';
import { requireOwnPage } from './authenticate-session.ts';
import { requireChangedPassword } from './operator.ts';
import { identityOf, type SessionRouteServices, secretsOf } from './routes.ts';
import {
  ConfirmationBody,
  Enrolment,
  EnrolmentBody,
  EXAMPLE_ENROLMENT,
  EXAMPLE_RECOVERY_CODES,
  FirstCodeBody,
  Message,
  RecoveryCodes,
} from './schema.ts';
import {
  beginEnrolment,
  confirmEnrolment,
  removeSecondFactor,
  renewRecoveryCodes,
  requireOne,
} from './second-factor.ts';
import { confirmOperator } from './sign-in.ts';

/** What an operator does with the second factor of their own account. */
export function secondFactorRoutes(app: App, services: SessionRouteServices): void {
  const { authenticateSession, cookies } = services;
  const sessionOf = (request: Parameters<typeof cookies.session.read>[0]) =>
    authenticateSession(cookies.session.read(request));
  const about = (operationId: string, summary: string, description: string) => ({
    ...{ tags: ['Console'], operationId, summary, description },
    security: [{ operatorSession: [] }],
  });
  const errors = (example: string, conflict: string) => ({
    ...badRequest([400, example]),
    ...refusal(409, 'Not now', conflict),
    ...refusal(429, 'Locked', 'Too many wrong passwords or codes; try again in 30 minutes'),
    ...errorResponses(401, 403, 413, 500, 503),
  });
  const THERE_IS_ONE = 'There is a second factor already; remove it first';
  const THERE_IS_NONE = 'There is no second factor; set one up first';

  app.addHook('onRequest', async (request) => {
    const session = await sessionOf(request);
    requireOwnPage(session, request.headers);
    requireChangedPassword(session.operator);
  });
  app.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));

  app.post(
    '/session/second-factor/',
    {
      schema: {
        ...about(
          'beginSecondFactor',
          'Begin to set up a second factor',
          'Gives the secret for an authenticator app. Nothing changes until its first code is sent.',
        ),
        body: EnrolmentBody,
        response: {
          200: success(Enrolment, 'The secret; it is shown this once', EXAMPLE_ENROLMENT),
          ...errors('password: is wrong', THERE_IS_ONE),
        },
      },
    },
    async (request) => {
      const { operator } = await sessionOf(request);
      const given = { password: secretsOf(request).password, passwordOnly: true };
      await confirmOperator(services, identityOf(operator, request), operator, given);
      return beginEnrolment(services, operator);
    },
  );

  app.put(
    '/session/second-factor/',
    {
      schema: {
        ...about(
          'confirmSecondFactor',
          'Set up a second factor with its first code',
          'From now on each sign-in asks for a code. Ends all other sessions of the operator.',
        ),
        body: FirstCodeBody,
        response: {
          200: success(
            RecoveryCodes,
            'Set up; the recovery codes are shown this once',
            EXAMPLE_RECOVERY_CODES,
          ),
          ...errors('code: is wrong', THERE_IS_ONE),
        },
      },
    },
    async (request) => {
      const { operator, tokenHash } = await sessionOf(request);
      const { enrolment } = request.body;
      const given = { enrolment, code: secretsOf(request).code as Secret };
      const by = identityOf(operator, request);
      return shown(await confirmEnrolment(services, by, operator, given, tokenHash));
    },
  );

  app.post(
    '/session/second-factor/remove/',
    {
      schema: {
        ...about(
          'removeSecondFactor',
          'Remove the second factor',
          'Needs the password and a code. Ends all other sessions of the operator.',
        ),
        body: ConfirmationBody,
        response: {
          200: success(Message, 'Removed', { message: 'The second factor is removed' }),
          ...errors('code: is wrong', THERE_IS_NONE),
        },
      },
    },
    async (request) => {
      const { operator, tokenHash } = await sessionOf(request);
      const by = identityOf(operator, request);
      requireOne(operator);
      await confirmOperator(services, by, operator, secretsOf(request));
      await removeSecondFactor(services, by, operator, tokenHash);
      return { message: 'The second factor is removed' };
    },
  );

  app.post(
    '/session/second-factor/recovery-codes/',
    {
      schema: {
        ...about(
          'renewRecoveryCodes',
          'Create new recovery codes',
          'Needs the password and a code. Those that were shown before open nothing any more.',
        ),
        body: ConfirmationBody,
        response: {
          200: success(RecoveryCodes, 'The new ones; they are shown this once', EXAMPLE_RECOVERY_CODES),
          ...errors('code: is wrong', THERE_IS_NONE),
        },
      },
    },
    async (request) => {
      const { operator } = await sessionOf(request);
      const by = identityOf(operator, request);
      requireOne(operator);
      await confirmOperator(services, by, operator, secretsOf(request));
      return shown(await renewRecoveryCodes(services, by, operator));
    },
  );
}

const shown = (codes: Secret[]) => ({ recoveryCodes: codes.map(reveal) });
