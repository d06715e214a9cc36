import { type Static, Type } from 'typebox';
import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { invalid } from '../../kernel/error.ts';
import { readAmount } from '../../kernel/money.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { type FeeSchedule, TERM_RANGES } from '../../programs/program.ts';
import { changeProgram } from '../../programs/update-program.ts';
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
const RATES = {
  fxFeeBps: rate('fxFeeBps'),
  interchangeBps: rate('interchangeBps'),
  cashInterchangeBps: rate('cashInterchangeBps'),
  transactionCostBps: rate('transactionCostBps'),
};
const AMOUNTS = {
  atmFee: amount,
  transactionCost: amount,
  virtualIssuanceFee: amount,
  physicalIssuanceFee: amount,
  maintenanceFee: amount,
};
const Body = Type.Object(
  { ...RATES, ...AMOUNTS, ...confirmationFields('Always required.') },
  { title: 'FeeScheduleChange' },
);

export function feeRoutes(app: App, { signIn }: { signIn: ConfirmServices }): void {
  app.put(
    '/fees/',
    {
      config: { role: 'admin' } satisfies Access,
      schema: {
        operationId: 'consoleSetFees',
        summary: 'Change the fee schedule',
        description:
          'Changes the given fees and keeps the others. Messages that arrive from now on are charged by them.',
        body: Body,
        response: {
          200: success(Terms, 'The new terms', EXAMPLE_TERMS),
          ...badRequest([400, 'atmFee: must have at most 2 decimals in EUR'], [400, 'password: is wrong']),
          ...TOO_MANY_WRONG,
        },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const change = readFees(request.body, actor.program.currency);
      await confirmRequest(signIn, request);
      return readTerms(await signIn.db.transaction((tx) => changeProgram(tx, actor, change)));
    },
  );
}

function readFees(body: Static<typeof Body>, currency: string): Partial<FeeSchedule> {
  const change: Record<string, number | bigint> = {};
  for (const field of Object.keys(RATES) as Array<keyof typeof RATES>) {
    const given = body[field];
    if (given !== undefined) change[field] = given;
  }
  for (const field of Object.keys(AMOUNTS) as Array<keyof typeof AMOUNTS>) {
    const given = body[field];
    if (given !== undefined) change[`${field}Minor`] = readAmount(field, given, currency);
  }
  if (Object.keys(change).length === 0) throw invalid('body', 'must name a fee to change');
  return change;
}
