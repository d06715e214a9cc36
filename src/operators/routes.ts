import type { Identity } from '../audit/entry.ts';
import { secretField } from '../http/body.ts';
import { requireSameSite } from '../http/same-site.ts';
import { badRequest, Message, refusal, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import type { Secret } from '../kernel/secret.ts';
import { requestIdentity } from '../programs/actor.ts';
import { auditSignIn } from './audit.ts';
import { requireOwnPage } from './authenticate-session.ts';
import { changePassword } from './manage-operators.ts';
import { actorName, type Operator } from './operator.ts';
import {
  answerSession,
  type PresentedSession,
  presentSession,
  type SessionRouteServices,
} from './present-session.ts';
import { deleteSession } from './queries.ts';
import { EXAMPLE_SESSION, PasswordBody, Session, SignInBody } from './schema.ts';
import { confirmOperator, signIn } from './sign-in.ts';

const LOCKED = 'Too many wrong passwords or codes; try again in 30 minutes';

export const identityOf = (operator: Operator, request: { id: string; ip: string }): Identity =>
  requestIdentity(actorName(operator), request);

/** The password and the code of a request body. */
export const secretsOf = (request: object) => ({
  password: secretField(request, 'password') as Secret,
  code: secretField(request, 'code'),
});

/** Routes for the operator's own session and password. */
export function sessionRoutes(app: App, services: SessionRouteServices): void {
  const { db, authenticateSession, cookies } = services;
  const present = (session: PresentedSession) => presentSession(services, session);

  app.post(
    '/session/',
    {
      schema: {
        operationId: 'signIn',
        summary: 'Sign in to the console',
        description:
          'Sets an http-only cookie. Five wrong passwords or codes in a row lock the account for this address or device for 30 minutes; many failures from one address are delayed. For an operator with a second factor, a request without a code returns 401 `code: is required`.',
        security: [],
        body: SignInBody,
        response: {
          200: success(Session, 'Signed in', EXAMPLE_SESSION),
          ...badRequest([400, 'email: is required']),
          ...refusal(401, 'Wrong e-mail address, password or code', 'E-mail address or password is wrong'),
          ...refusal(403, 'The request comes from another site', 'The request comes from another site'),
          ...refusal(429, 'The account is locked', LOCKED),
        },
      },
    },
    async (request, reply) => {
      requireSameSite(request.headers);
      const { email } = request.body;
      const given = { email, ...secretsOf(request) };
      const device = cookies.device.read(request);
      const signedIn = await signIn(services, requestIdentity('system:sign-in', request), {
        ...given,
        device,
        userAgent: request.headers['user-agent'],
      });
      return answerSession(services, reply, signedIn);
    },
  );

  app.get(
    '/session/',
    {
      schema: {
        operationId: 'getSession',
        summary: 'Get the current session',
        response: { 200: success(Session, 'The session', EXAMPLE_SESSION) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return present(await authenticateSession(cookies.session.read(request)));
    },
  );

  // Runs before the body is read, so that a client without a session gets no validation errors.
  const onRequest = async (request: Parameters<typeof cookies.session.read>[0]) =>
    requireOwnPage(await authenticateSession(cookies.session.read(request)), request.headers);

  app.delete(
    '/session/',
    {
      onRequest,
      schema: {
        operationId: 'signOut',
        summary: 'Sign out of the console',
        response: { 200: success(Message, 'Signed out', { message: 'Signed out' }) },
      },
    },
    async (request, reply) => {
      const session = await authenticateSession(cookies.session.read(request));
      await db.transaction(async (tx) => {
        await deleteSession(tx, session.tokenHash);
        await auditSignIn(tx, identityOf(session.operator, request), 'operator.signed_out', session.operator);
      });
      reply.header('set-cookie', cookies.session.write('', 0));
      return { message: 'Signed out' };
    },
  );

  app.put(
    '/session/password/',
    {
      onRequest,
      schema: {
        operationId: 'changePassword',
        summary: 'Change your own password',
        description: 'Ends all other sessions of the operator.',
        body: PasswordBody,
        response: {
          200: success(Message, 'Changed', { message: 'The password is changed' }),
          ...badRequest([400, 'newPassword: must be 12 to 256 characters']),
          ...refusal(429, 'The account is locked', LOCKED),
        },
      },
    },
    async (request) => {
      const { operator, tokenHash } = await authenticateSession(cookies.session.read(request));
      const by = identityOf(operator, request);
      // A session alone must not allow an account takeover: the current password is required, and guesses are limited.
      const present = { password: secretField(request, 'currentPassword') as Secret, passwordOnly: true };
      await confirmOperator(services, by, operator, present, 'currentPassword');
      const chosen = { password: secretField(request, 'newPassword') as Secret, isTheirOwn: true };
      await changePassword(db, services, by, operator, chosen, tokenHash);
      return { message: 'The password is changed' };
    },
  );
}
