import { secretField } from '../http/body.ts';
import { requireSameSite } from '../http/same-site.ts';
import { badRequest, refusal, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import type { Secret } from '../kernel/secret.ts';
import { requestIdentity } from '../programs/actor.ts';
import { acceptInvitation, readInvitation } from './accept-invitation.ts';
import { AcceptBody, EXAMPLE_OPEN_INVITATION, OpenInvitation, TokenBody } from './invitation-schema.ts';
import { answerSession, type SessionRouteServices } from './present-session.ts';
import { EXAMPLE_SESSION, Session } from './schema.ts';

/** Routes for a person who was invited. The token of the link is the permission; it is in the body, so no log has it. */
export function invitationRoutes(app: App, services: SessionRouteServices): void {
  const tokenOf = (request: object) => secretField(request, 'token') as Secret;
  const GONE = refusal(
    404,
    'The invitation cannot be accepted',
    'The invitation was used, was revoked or has expired; ask for a new one',
  );

  app.addHook('onRequest', async (request) => requireSameSite(request.headers));
  app.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));

  app.post(
    '/session/invitation/',
    {
      schema: {
        operationId: 'readInvitation',
        summary: 'Read your invitation',
        security: [],
        body: TokenBody,
        response: { 200: success(OpenInvitation, 'The invitation', EXAMPLE_OPEN_INVITATION), ...GONE },
      },
    },
    async (request) => {
      const { email, name, role, expiresAt } = await readInvitation(services, tokenOf(request));
      return { email, name, role, expires: formatTimestamp(expiresAt) };
    },
  );

  app.put(
    '/session/invitation/',
    {
      schema: {
        operationId: 'acceptInvitation',
        summary: 'Accept your invitation with a password, and sign in',
        description: 'The link of the invitation works once. Sets the cookies of a session.',
        security: [],
        body: AcceptBody,
        response: {
          200: success(Session, 'The account exists and is signed in', EXAMPLE_SESSION),
          ...badRequest([400, 'password: must be 12 to 256 characters']),
          ...GONE,
          ...refusal(
            409,
            'The address has an account',
            'An operator with the address ada@example.com already exists',
          ),
        },
      },
    },
    async (request, reply) => {
      const opened = await acceptInvitation(services, requestIdentity('system:sign-in', request), {
        ...{ token: tokenOf(request), name: request.body.name },
        password: secretField(request, 'password') as Secret,
        userAgent: request.headers['user-agent'],
      });
      return answerSession(services, reply, opened);
    },
  );
}
