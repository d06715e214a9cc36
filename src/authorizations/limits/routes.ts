import { EXAMPLE_DETAILS, EXAMPLE_USAGE } from '../../cards/examples.ts';
import { CardPath } from '../../cards/schema.ts';
import type { Database } from '../../db/database.ts';
import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { changeUsage } from './change-usage.ts';
import { readSpendControls } from './read-spend-controls.ts';
import { SpendControlsUse, UsageAnswer, UsageRequest } from './schema.ts';

const EXAMPLE = {
  ...EXAMPLE_DETAILS.spendControls,
  transactionLimit: 200,
  dailyLimit: { limit: 500, used: 120.5, remaining: 379.5, resetsAt: '2026-11-16T00:00:00+0000' },
  blockedMccs: ['7995'],
  usage: { ...EXAMPLE_USAGE, used: 0, lockedTo: null },
};

/** What counts transactions is here; the other spend controls are in `cards/routes.ts`. */
export function spendControlsRoutes(app: App, { db }: { db: Database }): void {
  app.get(
    '/cards/:cardId/spend-controls/',
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        tags: ['Cards'],
        operationId: 'getSpendControls',
        summary: 'Get spend controls and what is used of the limits',
        description: 'Limits as they are in force now. `used` plus `remaining` is always `limit`.',
        params: CardPath,
        response: { 200: success(SpendControlsUse, 'The spend controls', EXAMPLE) },
      },
    },
    async (request) => readSpendControls(db, actorOf(request), request.params.cardId),
  );

  app.put(
    '/cards/:cardId/usage/',
    {
      config: { scope: 'write', role: 'manager' } satisfies Access,
      schema: {
        tags: ['Cards'],
        operationId: 'setCardUsage',
        summary: 'Limit what a card is used for',
        description:
          'Replaces the rule: how many purchases, at which merchants, from when and until when. Null lifts it. What was used stays.',
        params: CardPath,
        body: UsageRequest,
        response: {
          200: success(UsageAnswer, 'The rule, with what was used', { usage: EXAMPLE.usage }),
          ...badRequest([400, 'usage.until: must be after usage.from']),
        },
      },
    },
    async (request) => changeUsage(db, actorOf(request), request.params.cardId, request.body.usage),
  );
}
