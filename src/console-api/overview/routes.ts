import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import type { QueryServices } from '../services.ts';
import { readOverview } from './read-overview.ts';
import { Overview, OverviewQuery } from './schema.ts';

export function overviewRoutes(app: App, services: Pick<QueryServices, 'db'>): void {
  app.get(
    '/overview/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'consoleOverview',
        summary: 'Get approvals, declines and spend',
        description:
          'For the last day, week or month, with an earlier period for comparison and the days before.',
        querystring: OverviewQuery,
        response: {
          200: success(Overview, 'The overview', {
            now: '2026-11-15T08:32:00+0000',
            until: '2026-11-15T08:32:00+0000',
            window: '24h',
            currency: 'EUR',
            sliceSeconds: 3600,
            slices: [{ start: '2026-11-15T08:00:00+0000', approved: 41, declined: 3, spend: '812.40' }],
            days: [{ start: '2026-11-14T00:00:00+0000', approved: 51, declined: 2, spend: '901.10' }],
            totals: { approved: 41, declined: 3, spend: '812.40', cards: 120 },
            previous: { approved: 38, declined: 5, spend: '790.10' },
            comparable: true,
            declineReasons: [{ reason: 'card_frozen', meaning: 'The card is frozen.', count: 3 }],
            topMerchants: [{ name: 'Corner Coffee', count: 12, spend: '92.00' }],
            balance: '50812.40',
            held: '812.40',
            available: '50000.00',
            complete: true,
          }),
          ...badRequest([400, 'window: must be one of 24h, 7d, 30d']),
        },
      },
    },
    async (request) => readOverview(services, actorOf(request), request.query.window),
  );
}
