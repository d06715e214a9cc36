import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { CardOfProgramPath, readBefore } from '../console-schema.ts';
import type { QueryServices } from '../services.ts';
import { readHistory } from './read-history.ts';
import { History, HistoryQuery } from './schema.ts';

export function historyRoutes(app: App, services: Pick<QueryServices, 'db'>): void {
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
            results: [
              {
                id: '019a85f3-0a51-7004-9f3e-5a1c2b3d4e5f',
                action: 'card.blocked',
                actor: { kind: 'operator', name: 'Grace Hopper' },
                address: '203.0.113.7',
                reason: 'stolen',
                changes: [{ field: 'status', before: 'ACTIVE', after: 'BLOCKED' }],
                requestId: 'req_019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
                created: '2026-11-15T08:32:00+0000',
              },
            ],
            next: null,
          }),
          ...badRequest([400, 'before: must be a record id from `next`']),
        },
      },
    },
    async (request) => {
      const { program } = actorOf(request);
      return readHistory(services, program.id, request.params.cardId, readBefore(request.query.before));
    },
  );
}
