import { Type } from 'typebox';
import { createMakeOrRequest } from '../../approvals/request-approval.ts';
import { declaredOnly } from '../../http/body.ts';
import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { readFees } from '../../programs/fee-change.ts';
import { TERM_RANGES } from '../../programs/program.ts';
import { sendOrAccept } from '../../programs/second-person.ts';
import { changeProgram } from '../../programs/update-program.ts';
import { EXAMPLE_REQUESTED } from '../approvals/examples.ts';
import { Requested } from '../approvals/schema.ts';
import { type ConfirmServices, confirmRequest } from '../confirm-request.ts';
import { confirmationFields } from '../console-schema.ts';
import { EXAMPLE_TERMS } from './examples.ts';
import { readTerms } from './read-terms.ts';
import { Terms, TOO_MANY_WRONG } from './schema.ts';

const rate = (field: 'fxFeeBps' | 'interchangeBps' | 'cashInterchangeBps' | 'transactionCostBps') => {
  const [minimum, maximum] = TERM_RANGES[field];
  return Type.Optional(Type.Integer({ minimum, maximum, description: 'In basis points.', examples: [150] }));
};
const amount = Type.Optional(
  Type.Number({ minimum: 0, description: "In the program's currency.", examples: [0.5] }),
);
const Fees = Type.Object({
  fxFeeBps: rate('fxFeeBps'),
  interchangeBps: rate('interchangeBps'),
  cashInterchangeBps: rate('cashInterchangeBps'),
  transactionCostBps: rate('transactionCostBps'),
  atmFee: amount,
  transactionCost: amount,
  virtualIssuanceFee: amount,
  physicalIssuanceFee: amount,
  maintenanceFee: amount,
});
const Body = Type.Object(
  { ...Fees.properties, ...confirmationFields('Always required.') },
  { title: 'FeeScheduleChange' },
);

export function feeRoutes(app: App, { signIn }: { signIn: ConfirmServices }): void {
  const makeOrRequest = createMakeOrRequest(signIn.db);

  app.put(
    '/fees/',
    {
      config: { role: 'admin' } satisfies Access,
      schema: {
        operationId: 'consoleSetFees',
        summary: 'Change the fee schedule',
        description:
          'Changes the given fees and keeps the others. Messages that arrive from now on are charged by them. If the program requires a second person for money, every change of fees waits for one.',
        body: Body,
        response: {
          200: success(Terms, 'The new terms', EXAMPLE_TERMS),
          202: success(Requested, 'Waits for a second person', EXAMPLE_REQUESTED),
          ...badRequest([400, 'atmFee: must have at most 2 decimals in EUR'], [400, 'password: is wrong']),
          ...TOO_MANY_WRONG,
        },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const fees = declaredOnly(Fees, request.body);
      const change = readFees(fees, actor.program.currency);
      await confirmRequest(signIn, request);
      const changed = await makeOrRequest(actor, 'fees', fees, async (tx) =>
        readTerms(await changeProgram(tx, actor, change)),
      );
      return sendOrAccept(reply, 200, changed);
    },
  );
}
