import { weakens } from '../../approvals/approval.ts';
import { requestApproval } from '../../approvals/request-approval.ts';
import { badRequest, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { EmbossError, invalid } from '../../kernel/error.ts';
import { formatAmount, MAX_AMOUNT_MINOR, parseAmount } from '../../kernel/money.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { lockProgram } from '../../programs/queries.ts';
import { sendOrAccept } from '../../programs/second-person.ts';
import { changeProgram } from '../../programs/update-program.ts';
import { EXAMPLE_REQUESTED } from '../approvals/examples.ts';
import { Requested } from '../approvals/schema.ts';
import { type ConfirmServices, confirmRequest } from '../confirm-request.ts';
import { SecondPerson, SecondPersonBody } from './schema.ts';

/** The program's setting for a second person. */
export function secondPersonRoutes(app: App, { signIn }: { signIn: ConfirmServices }): void {
  const { db } = signIn;

  app.put(
    '/second-person/',
    {
      config: { role: 'admin' } satisfies Access,
      schema: {
        operationId: 'consoleSetSecondPerson',
        summary: 'Set the amount above which money needs a second person',
        description:
          'Turning the rule off, or raising its amount, needs a second person too. Pending requests stay as they are.',
        body: SecondPersonBody,
        response: {
          200: success(SecondPerson, 'Changed', { secondPersonAbove: '500.00' }),
          202: success(Requested, 'Waits for a second person', EXAMPLE_REQUESTED),
          ...badRequest([400, 'password: is wrong']),
          ...refusal(409, 'Changed meanwhile', 'The setting has just been changed; check it and retry'),
        },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const { currency, secondPersonAboveMinor: beforeMinor } = actor.program;
      const { secondPersonAbove: above } = request.body;
      const aboveMinor = above === null ? null : readThreshold(above, currency);
      await confirmRequest(signIn, request);
      const text = aboveMinor === null ? null : formatAmount(aboveMinor, currency);
      const answer = { secondPersonAbove: text };
      if (weakens(beforeMinor, aboveMinor))
        return sendOrAccept(reply, 200, await requestApproval(db, actor, 'second_person', answer));
      await db.transaction(async (tx) => {
        const before = await lockProgram(tx, actor.program.id);
        if (before?.secondPersonAboveMinor !== beforeMinor)
          throw new EmbossError(409, 'The setting has just been changed; check it and retry');
        await changeProgram(tx, actor, { secondPersonAboveMinor: aboveMinor });
      });
      return answer;
    },
  );
}

function readThreshold(text: string, currency: string): bigint {
  const minor = parseAmount(text, currency);
  if (minor === undefined || minor < 0n || minor > MAX_AMOUNT_MINOR)
    throw invalid('secondPersonAbove', 'must be an amount such as 500.00, or null');
  return minor;
}
