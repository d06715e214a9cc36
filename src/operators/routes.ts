import { secretField } from '../http/body.ts';
import { badRequest, errorResponses, refusal, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { EmbossError } from '../kernel/error.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';
import { listPrograms } from '../programs/queries.ts';
import { auditSignIn } from './audit.ts';
import {
  type AuthenticateSession,
  type OperatorSession,
  requireOwnPage,
  requireSameSite,
} from './authenticate-session.ts';
import { changePassword } from './manage-operators.ts';
import { type Operator, operatorActor } from './operator.ts';
import { deleteSession } from './queries.ts';
import { EXAMPLE_SESSION, Message, PasswordBody, Session, SignInBody } from './schema.ts';
import { csrfTokenOf } from './seals.ts';
import type { SessionCookie } from './session-cookie.ts';
import { checkPassword, type SignInServices, signIn } from './sign-in.ts';

export interface SessionRouteServices extends SignInServices {
  sandboxPrograms: boolean;
  authenticateSession: AuthenticateSession;
  cookie: SessionCookie;
}

/** Signing in and out of the console. */
export function sessionRoutes(app: App, services: SessionRouteServices): void {
  const { db, digest, authenticateSession, cookie } = services;
  const about = (operationId: string, summary: string) => ({ tags: ['Console'], operationId, summary });
  const secured = { security: [{ operatorSession: [] }] };
  const originOf = ({ id, ip }: { id: string; ip: string }) => ({ requestId: id, ip });
  const present = async (session: Pick<OperatorSession, 'operator' | 'csrfToken' | 'expiresAt'>) => ({
    operator: presentOperator(session.operator),
    csrfToken: session.csrfToken,
    expiresAt: formatTimestamp(session.expiresAt),
    programs: await programsOf(services, session.operator),
  });

  app.post(
    '/session/',
    {
      schema: {
        ...about('signIn', 'Sign in to the console'),
        description:
          'Sets an http-only cookie. Five wrong passwords in a row lock the address for a quarter of an hour; many from one place are slowed down.',
        security: [],
        body: SignInBody,
        response: {
          200: success(Session, 'Signed in', EXAMPLE_SESSION),
          ...badRequest([400, 'email: is required']),
          ...refusal(401, 'Wrong', 'E-mail address or password is wrong'),
          ...refusal(403, 'From another site', 'The request comes from another site'),
          ...refusal(429, 'Locked', 'Too many wrong passwords; try again in 15 minutes'),
          ...errorResponses(413, 500, 503),
        },
      },
    },
    async (request, reply) => {
      requireSameSite(request.headers);
      const { email } = request.body;
      const password = secretField(request, 'password') as Secret;
      const signedIn = await signIn(services, { email, password }, originOf(request));
      const lifeSeconds = Math.floor((signedIn.expiresAt.getTime() - Date.now()) / 1000);
      reply
        .header('set-cookie', cookie.write(reveal(signedIn.token), lifeSeconds))
        .header('cache-control', 'no-store');
      return present({ ...signedIn, csrfToken: csrfTokenOf(digest, signedIn.tokenHash, signedIn.token) });
    },
  );

  app.get(
    '/session/',
    {
      schema: {
        ...about('getSession', 'Who is signed in'),
        ...secured,
        response: { 200: success(Session, 'The session', EXAMPLE_SESSION), ...errorResponses(401, 500, 503) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return present(await authenticateSession(cookie.read(request)));
    },
  );

  app.delete(
    '/session/',
    {
      schema: {
        ...about('signOut', 'Sign out of the console'),
        ...secured,
        response: {
          200: success(Message, 'Signed out', { message: 'Signed out' }),
          ...errorResponses(401, 403, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const session = await authenticateSession(cookie.read(request));
      requireOwnPage(session, request.headers);
      await db.transaction(async (tx) => {
        await deleteSession(tx, session.tokenHash);
        await auditSignIn(tx, 'operator.signed_out', session.operator, originOf(request));
      });
      reply.header('set-cookie', cookie.write('', 0));
      return { message: 'Signed out' };
    },
  );

  app.put(
    '/session/password/',
    {
      // Before the body is read: a stranger is told nothing of its rules.
      onRequest: async (request) => {
        requireOwnPage(await authenticateSession(cookie.read(request)), request.headers);
      },
      schema: {
        ...about('changePassword', 'Change one’s own password'),
        description: 'Ends all other sessions of the operator.',
        ...secured,
        body: PasswordBody,
        response: {
          200: success(Message, 'Changed', { message: 'The password is changed' }),
          ...badRequest([400, 'newPassword: must be 12 to 256 characters']),
          ...refusal(429, 'Locked', 'Too many wrong passwords; try again in 15 minutes'),
          ...errorResponses(401, 403, 413, 500, 503),
        },
      },
    },
    async (request) => {
      const { currentPassword, newPassword } = request.body;
      const { operator, tokenHash } = await authenticateSession(cookie.read(request));
      // Whoever finds a desk unattended cannot take the account over, nor guess for long.
      if (!(await checkPassword(services, operator.email, secret(currentPassword), originOf(request))))
        throw new EmbossError(400, 'currentPassword: is wrong');
      await changePassword(db, services, operator, secret(newPassword), operatorActor(operator), tokenHash);
      return { message: 'The password is changed' };
    },
  );
}

const presentOperator = ({ id, email, name, role }: Operator) => ({ id, email, name, role });

async function programsOf({ db, sandboxPrograms }: SessionRouteServices, { programId }: Operator) {
  const programs = await listPrograms(db);
  return programs
    .filter(
      ({ id, mode }) => (programId === null || id === programId) && (sandboxPrograms || mode === 'live'),
    )
    .map(({ id, name, mode, currency }) => ({ id, name, mode, currency }));
}
