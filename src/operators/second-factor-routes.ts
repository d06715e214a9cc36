import { badRequest, Message, refusal, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { reveal, type Secret } from '../kernel/secret.ts';
import { requireOwnPage } from './authenticate-session.ts';
import { requireChangedPassword } from './operator.ts';
import type { SessionRouteServices } from './present-session.ts';
import { identityOf, secretsOf } from './routes.ts';
import {
  ConfirmationBody,
  Enrolment,
  EnrolmentBody,
  EXAMPLE_ENROLMENT,
  EXAMPLE_RECOVERY_CODES,
  FirstCodeBody,
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

/** Routes for the second factor of the operator's own account. */
export function secondFactorRoutes(app: App, services: SessionRouteServices): void {
  const { authenticateSession, cookies } = services;
  const sessionOf = (request: Parameters<typeof cookies.session.read>[0]) =>
    authenticateSession(cookies.session.read(request));
  const errors = (example: string, conflict: string) => ({
    ...badRequest([400, example]),
    ...refusal(409, 'Not possible in the current state', conflict),
    ...refusal(429, 'The account is locked', 'Too many wrong passwords or codes; try again in 30 minutes'),
  });
  const THERE_IS_ONE = 'A second factor is already set up; remove it first';
  const THERE_IS_NONE = 'No second factor is set up; set one up first';

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
        operationId: 'beginSecondFactor',
        summary: 'Start to set up a second factor',
        description:
          'Returns the secret for an authenticator app. Nothing changes until the first code is confirmed.',
        body: EnrolmentBody,
        response: {
          200: success(Enrolment, 'The secret. It is shown only once', EXAMPLE_ENROLMENT),
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
        operationId: 'confirmSecondFactor',
        summary: 'Confirm a second factor with its first code',
        description: 'Each later sign-in requires a code. Ends all other sessions of the operator.',
        body: FirstCodeBody,
        response: {
          200: success(
            RecoveryCodes,
            'Set up. The recovery codes are shown only once',
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
        operationId: 'removeSecondFactor',
        summary: 'Remove the second factor',
        description: 'Requires the password and a code. Ends all other sessions of the operator.',
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
        operationId: 'renewRecoveryCodes',
        summary: 'Create new recovery codes',
        description: 'Requires the password and a code. Earlier recovery codes stop working.',
        body: ConfirmationBody,
        response: {
          200: success(
            RecoveryCodes,
            'The new recovery codes. They are shown only once',
            EXAMPLE_RECOVERY_CODES,
          ),
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
