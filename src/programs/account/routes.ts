import { Type } from 'typebox';
import type { Database } from '../../db/database.ts';
import { badRequest, nullable, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../access.ts';
import { actorOf, readActor } from '../actor.ts';
import { changeAlert } from './change-alert.ts';
import { readAccount } from './read-account.ts';

const alertBelow = nullable(
  Type.Number(),
  'An event is sent once when `available` falls below this amount. Null: never.',
);

const Account = Type.Object(
  {
    currency: Type.String(),
    balance: Type.Number({ description: "The program's money: `available` and `held` together." }),
    held: Type.Number({ description: 'Held for purchases that have not cleared yet.' }),
    available: Type.Number({ description: 'The balance of the master account in reports.' }),
    alertBelow,
  },
  { title: 'Account' },
);
const EXAMPLE = { currency: 'EUR', balance: 100_000, held: 12.5, available: 99_987.5, alertBelow: 5_000 };

/** The program's money, for the merchant. */
export function accountRoutes(app: App, { db }: { db: Database }): void {
  app.get(
    '/account/',
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        tags: ['Account'],
        operationId: 'getAccount',
        summary: 'Get the master account',
        description: "The program's money and the threshold of its low-balance alert.",
        response: { 200: success(Account, 'The account', EXAMPLE) },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { program } = await readActor(db, actor, actor.program.id);
      return readAccount(db, program);
    },
  );

  app.put(
    '/account/alert/',
    {
      config: { scope: 'write', role: 'admin' } satisfies Access,
      schema: {
        tags: ['Account'],
        operationId: 'setAccountAlert',
        summary: 'Set the low-balance alert',
        description:
          'The event `account.low_balance` is sent once when `available` falls below the threshold, and again only after it has risen above it. If it is below already, the event is sent immediately.',
        body: Type.Object({ alertBelow }, { title: 'AccountAlertRequest' }),
        response: {
          200: success(Account, 'The account', EXAMPLE),
          ...badRequest([400, 'alertBelow: must have at most 2 decimals in EUR']),
        },
      },
    },
    async (request) => changeAlert(db, actorOf(request), request.body.alertBelow),
  );
}
