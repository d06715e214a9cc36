import { Type } from 'typebox';
import type { AuditRefusedReveal } from '../../cards/audit-refused-reveal.ts';
import { EXAMPLE_CREDENTIALS } from '../../cards/examples.ts';
import { type RevealServices, revealCredentials } from '../../cards/reveal-credentials.ts';
import { Credentials } from '../../cards/schema.ts';
import type { NumberFields } from '../../http/card-numbers.ts';
import { sendFleeting } from '../../http/fleeting.ts';
import { badRequest, refusal, rule, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { invalid } from '../../kernel/error.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { CVV_DESTROYED } from '../../vault/vault.ts';
import { CardOfProgramPath } from '../console-schema.ts';

const RevealBody = Type.Object(
  {
    reason: Type.String({
      minLength: 3,
      maxLength: 255,
      pattern: '\\S',
      ...rule('must be 3 to 255 characters'),
      description: 'Why the number is needed; recorded in the audit.',
    }),
  },
  { title: 'RevealRequest', examples: [{ reason: 'cardholder lost the letter' }] },
);

/** Spaces and punctuation alone are not a reason. */
const FEWEST_LETTERS = 3;

export function revealRoutes(
  app: App,
  services: RevealServices & { auditRefusedReveal: AuditRefusedReveal },
): void {
  app.post(
    '/cards/:cardId/reveal/',
    {
      onError: services.auditRefusedReveal,
      config: { role: 'admin', numbersIn: ['reason'] } satisfies Access & NumberFields,
      schema: {
        operationId: 'revealForReason',
        summary: 'Reveal card number, CVV and expiry',
        description:
          'For administrators. The operator and the reason are recorded in the audit before the response is sent.',
        params: CardOfProgramPath,
        body: RevealBody,
        response: {
          200: success(Credentials, 'Number, CVV and expiry', EXAMPLE_CREDENTIALS),
          ...badRequest([400, 'reason: is required']),
          ...refusal(409, 'The CVV was destroyed', CVV_DESTROYED),
          ...refusal(
            429,
            'Too many reveals',
            'Too many card numbers revealed by this operator; retry in 42 s',
          ),
        },
      },
    },
    async (request, reply) => {
      const { reason } = request.body;
      if ((reason.match(/[\p{L}\p{N}]/gu) ?? []).length < FEWEST_LETTERS)
        throw invalid('reason', `must have at least ${FEWEST_LETTERS} letters or digits`);
      return sendFleeting(
        reply,
        await revealCredentials(services, actorOf(request), request.params.cardId, reason),
      ) as never;
    },
  );
}
