import { type Static, Type } from 'typebox';
import { createMakeOrRequest } from '../../approvals/request-approval.ts';
import type { Tx } from '../../db/database.ts';
import type { NumberFields } from '../../http/card-numbers.ts';
import type { AnswerOnce } from '../../http/idempotency.ts';
import { badRequest, IdempotencyHeaders, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { formatAmount, readAmount } from '../../kernel/money.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { claimOf, markReplay } from '../../programs/answer-request.ts';
import { checkFunding, fundProgram, withdrawFunds } from '../../programs/fund-program.ts';
import { sendOrAccept } from '../../programs/second-person.ts';
import { EXAMPLE_REQUESTED } from '../approvals/examples.ts';
import { Requested } from '../approvals/schema.ts';
import { type ConfirmServices, confirmRequest } from '../confirm-request.ts';
import { confirmationFields, decimal, text } from '../console-schema.ts';
import { TOO_MANY_WRONG } from './schema.ts';

const Movement = Type.Object(
  {
    movementId: text,
    balance: decimal("The program's money after it."),
    held: decimal('Held for purchases that have not cleared yet.'),
    available: decimal('Available for new purchases after it.'),
  },
  { title: 'FundingMovement' },
);
const EXAMPLE = {
  movementId: '019a85f3-0a51-7004-9f3e-5a1c2b3d4e5f',
  balance: '100000.00',
  held: '12.50',
  available: '99987.50',
};

const Body = Type.Object(
  {
    amount: Type.Number({ description: "In the program's currency.", examples: [50_000] }),
    reference: Type.String({
      maxLength: 255,
      description: 'Such as the reference of the bank transfer. Recorded in the audit.',
      examples: ['Bank transfer 4711'],
    }),
    ...confirmationFields('Always required.'),
  },
  { title: 'FundingRequest' },
);

const MOVES = {
  deposits: {
    operationId: 'consoleDeposit',
    summary: 'Add money to the master account',
    kind: 'deposit',
    move: fundProgram,
    refusal: 'amount: must be greater than 0 and within the largest supported amount',
  },
  withdrawals: {
    operationId: 'consoleWithdraw',
    summary: 'Take available money from the master account',
    kind: 'withdrawal',
    move: withdrawFunds,
    refusal: 'amount: must be at most the available 99987.50',
  },
} as const;

/** Money of the program, moved by the operations that the command line uses. */
export function fundingRoutes(
  app: App,
  { signIn, answerOnce }: { signIn: ConfirmServices; answerOnce: AnswerOnce },
): void {
  const makeOrRequest = createMakeOrRequest(signIn.db);
  for (const [path, { operationId, summary, kind, move, refusal }] of Object.entries(MOVES))
    app.post(
      `/account/${path}/`,
      {
        config: { role: 'admin', numbersIn: ['reference'] } satisfies Access & NumberFields,
        schema: {
          operationId,
          summary,
          description: 'Send an Idempotency-Key to retry safely: money moves once.',
          headers: IdempotencyHeaders,
          body: Body,
          response: {
            201: success(Movement, 'The money has moved', EXAMPLE),
            202: success(Requested, 'Waits for a second person', EXAMPLE_REQUESTED),
            ...badRequest([400, refusal], [400, 'password: is wrong']),
            ...TOO_MANY_WRONG,
          },
        },
      },
      async (request, reply) => {
        const actor = actorOf(request);
        const { currency } = actor.program;
        const { amount, reference } = request.body;
        const funding = { amountMinor: readAmount('amount', amount, currency), reference };
        // Before the second factor's code is used up.
        checkFunding(funding);
        await confirmRequest(signIn, request);
        const claim = claimOf(request, { endpoint: `POST ${path}`, request: { amount, reference } });
        const answered = answerOnce(claim, async (remember) => {
          const make = async (tx: Tx) => {
            const { movementId, heldMinor, availableMinor } = await move(tx, actor, funding);
            const answer: Static<typeof Movement> = {
              movementId,
              balance: formatAmount(availableMinor + heldMinor, currency),
              held: formatAmount(heldMinor, currency),
              available: formatAmount(availableMinor, currency),
            };
            await remember(tx, answer);
            return answer;
          };
          return makeOrRequest(actor, kind, { amount, reference }, make, remember);
        });
        return sendOrAccept(reply, 201, await markReplay(reply, answered));
      },
    );
}
