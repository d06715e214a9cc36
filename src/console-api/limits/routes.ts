import { EXAMPLE_DETAILS } from '../../cards/examples.ts';
import { SpendControls } from '../../cards/schema.ts';
import { changeSpendControls } from '../../cards/spend-controls.ts';
import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import type { Program } from '../../programs/program.ts';
import { updateProgram } from '../../programs/update-program.ts';
import { operatorOf } from '../confirm-request.ts';
import { CardOfProgramPath } from '../console-schema.ts';
import type { QueryServices } from '../services.ts';
import { SupportLimits, TemporaryLimitsChange } from './schema.ts';

const EXAMPLE = { factor: 2, days: 7 };

const boundsOf = ({ supportLimitFactor: factor, supportLimitDays: days }: Program) => ({ factor, days });

/** Temporary limits of cards, and how far support may go with them. */
export function limitRoutes(app: App, { db }: Pick<QueryServices, 'db'>): void {
  app.get(
    '/support-limits/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'consoleSupportLimits',
        summary: 'Get the bounds of temporary limits',
        response: {
          200: success(SupportLimits, 'The bounds', EXAMPLE),
          ...badRequest([400, 'host: is required']),
        },
      },
    },
    async (request) => boundsOf(actorOf(request).program),
  );

  app.put(
    '/support-limits/',
    {
      config: { role: 'admin' } satisfies Access,
      schema: {
        operationId: 'consoleSetSupportLimits',
        summary: 'Set the bounds of temporary limits',
        description: 'Temporary limits that are set already keep their amounts until they end.',
        body: SupportLimits,
        response: {
          200: success(SupportLimits, 'The new bounds', EXAMPLE),
          ...badRequest([400, 'factor: must be at least 1']),
        },
      },
    },
    async (request) => {
      const { factor, days } = request.body;
      const change = { supportLimitFactor: factor, supportLimitDays: days };
      return boundsOf(await updateProgram(db, actorOf(request), change));
    },
  );

  app.put(
    '/cards/:cardId/temporary-limits/',
    {
      config: { role: 'support' } satisfies Access,
      schema: {
        operationId: 'consoleSetTemporaryLimits',
        summary: "Raise a card's limits for a time",
        description:
          'A temporary limit applies until it ends, if it is higher than the limit. Operators with the role support stay within the bounds that admins set.',
        params: CardOfProgramPath,
        body: TemporaryLimitsChange,
        response: {
          200: success(SpendControls, 'The current spend controls', EXAMPLE_DETAILS.spendControls),
          ...badRequest([
            400,
            'temporaryLimits.dailyLimit.amount: must be at most 1000.00 for your role; ask a manager',
          ]),
        },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { temporaryLimits } = request.body;
      const bounds = operatorOf(request).role === 'support' ? boundsOf(actor.program) : undefined;
      return changeSpendControls(db, actor, request.params.cardId, { temporaryLimits }, bounds);
    },
  );
}
