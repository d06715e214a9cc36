import type { Database } from '../db/database.ts';
import { badRequest, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import type { Access } from '../programs/access.ts';
import { actorOf } from '../programs/actor.ts';
import { changeForwarding, readForwarding } from './forward-challenges.ts';
import { CardPath, Forwarding, ForwardingBody } from './schema.ts';

const PATH = '/cards/:cardId/3ds-forwarding/';
const tags = ['Cards'];
const EXAMPLE = { enabled: true };

export function forwardingRoutes(app: App, { db }: { db: Database }): void {
  app.get(
    PATH,
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        tags,
        operationId: 'getForwarding',
        summary: 'Get the forwarding of 3-D Secure challenges',
        params: CardPath,
        response: { 200: success(Forwarding, 'Now', EXAMPLE) },
      },
    },
    async (request) => readForwarding(db, actorOf(request), request.params.cardId),
  );

  app.put(
    PATH,
    {
      config: { scope: 'write', role: 'manager' } satisfies Access,
      schema: {
        tags,
        operationId: 'changeForwarding',
        summary: 'Change the forwarding of 3-D Secure challenges',
        description:
          'Enabled: a challenge is the event `authentication.challenge`, and the cardholder approves it in your app. Disabled (default): a one-time password is sent.',
        params: CardPath,
        body: ForwardingBody,
        response: {
          200: success(Forwarding, 'Changed', EXAMPLE),
          ...badRequest([400, 'enabled: is required']),
        },
      },
    },
    async (request) => changeForwarding(db, actorOf(request), request.params.cardId, request.body.enabled),
  );
}
