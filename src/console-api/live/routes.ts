import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import type { QueryServices } from '../services.ts';
import { readLive } from './read-live.ts';
import { LiveEvents, LiveQuery } from './schema.ts';

export function liveRoutes(app: App, services: Pick<QueryServices, 'db'>): void {
  app.get(
    '/live/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'consoleLive',
        summary: 'List new events',
        description: 'Poll every few seconds with the cursor of the previous response.',
        querystring: LiveQuery,
        response: {
          200: success(LiveEvents, 'Events since the cursor', {
            events: [],
            cursor: '019a85f3-0a51-7004-9f3e-5a1c2b3d4e5f',
          }),
          ...badRequest([400, 'after: must be a cursor from a previous response']),
        },
      },
    },
    async (request) => {
      const { program, now } = actorOf(request);
      return readLive(services, program.id, now(), request.query.after);
    },
  );
}
