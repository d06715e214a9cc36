import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { CardOfProgramPath, readBefore } from '../console-schema.ts';
import type { QueryServices } from '../services.ts';
import { readCardTimeline } from '../timeline/read-card-timeline.ts';
import { EXAMPLE_ENTRY, History, HistoryQuery } from './schema.ts';

export function historyRoutes(app: App, services: QueryServices): void {
  app.get(
    '/cards/:cardId/history/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'consoleCardHistory',
        summary: 'List the audit history of a card',
        description: 'Who did what, when and why, newest first.',
        params: CardOfProgramPath,
        querystring: HistoryQuery,
        response: {
          200: success(History, 'A page of audit entries', {
            results: [EXAMPLE_ENTRY],
            next: null,
          }),
          ...badRequest([400, 'before: must be a record id from `next`']),
        },
      },
    },
    async (request) => {
      const { changes, next } = await readCardTimeline(
        services,
        actorOf(request),
        request.params.cardId,
        ['changes'],
        readBefore(request.query.before),
      );
      return { results: changes, next };
    },
  );
}
