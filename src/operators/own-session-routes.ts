import { errorResponses, Message, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { requireOwnPage } from './authenticate-session.ts';
import type { SessionRouteServices } from './present-session.ts';
import { identityOf } from './routes.ts';
import { EXAMPLE_SESSIONS, SessionPath, Sessions } from './schema.ts';
import { endSessions, readSessions } from './sessions.ts';

/** Routes for the sessions of the operator's own account. */
export function ownSessionRoutes(app: App, { db, authenticateSession, cookies }: SessionRouteServices): void {
  const sessionOf = (request: Parameters<typeof cookies.session.read>[0]) =>
    authenticateSession(cookies.session.read(request));
  const ended = {
    200: success(Message, 'Ended', { message: 'Ended' }),
    ...errorResponses(404),
  };
  app.addHook('onRequest', async (request) => {
    const session = await sessionOf(request);
    if (request.method !== 'GET') requireOwnPage(session, request.headers);
  });
  app.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));

  app.get(
    '/session/sessions/',
    {
      schema: {
        operationId: 'listSessions',
        summary: 'List your own sessions',
        response: { 200: success(Sessions, 'The sessions, the last used first', EXAMPLE_SESSIONS) },
      },
    },
    async (request) => {
      const { operator, tokenHash } = await sessionOf(request);
      return { sessions: await readSessions(db, operator.id, tokenHash) };
    },
  );

  app.delete(
    '/session/sessions/',
    { schema: { operationId: 'endOtherSessions', summary: 'End all your other sessions', response: ended } },
    async (request) => {
      const { operator, tokenHash } = await sessionOf(request);
      await endSessions(db, identityOf(operator, request), operator, { keep: tokenHash });
      return { message: 'Ended' };
    },
  );

  app.delete(
    '/session/sessions/:sessionId/',
    {
      schema: {
        operationId: 'endSession',
        summary: 'End one of your sessions',
        params: SessionPath,
        response: ended,
      },
    },
    async (request) => {
      const { operator } = await sessionOf(request);
      const { sessionId } = request.params;
      await endSessions(db, identityOf(operator, request), operator, { sessionId });
      return { message: 'Ended' };
    },
  );
}
