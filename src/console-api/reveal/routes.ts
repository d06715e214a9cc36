import type { AuditRefusedReveal } from '../../cards/audit-refused-reveal.ts';
import { revealIdentity } from '../../cards/customers/reveal-identity.ts';
import { EXAMPLE_CREDENTIALS } from '../../cards/examples.ts';
import { type RevealServices, revealCredentials } from '../../cards/reveal-credentials.ts';
import { Credentials } from '../../cards/schema.ts';
import type { NumberFields } from '../../http/card-numbers.ts';
import { sendFleeting } from '../../http/fleeting.ts';
import { badRequest, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { invalid } from '../../kernel/error.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { CVV_DESTROYED } from '../../vault/vault.ts';
import { CardOfProgramPath } from '../console-schema.ts';
import { CustomerPath } from '../customers/schema.ts';
import { EXAMPLE_IDENTITY, RevealBody, RevealedIdentity } from './schema.ts';

/** Spaces and punctuation alone are not a reason. */
const FEWEST_LETTERS = 3;

type Services = RevealServices & { auditRefusedReveal: AuditRefusedReveal };

export function revealRoutes(app: App, services: Services): void {
  identityRoute(app, services);
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
          ...refusal(429, 'Too many reveals', 'Too many reveals by this operator; retry in 42 s'),
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

/** For verifying a caller. */
function identityRoute(app: App, services: Services): void {
  app.post(
    '/customers/:customerId/identity/',
    {
      onError: services.auditRefusedReveal,
      config: { role: 'support' } satisfies Access,
      schema: {
        operationId: 'revealIdentity',
        summary: "Reveal a customer's date of birth and address",
        description:
          'To verify a caller. The values are those that were submitted with the newest card. The reveal is recorded in the audit before the response is sent.',
        params: CustomerPath,
        response: {
          200: success(RevealedIdentity, 'Name, date of birth and address', EXAMPLE_IDENTITY),
          ...badRequest([400, 'customerId: must not be empty']),
          ...refusal(429, 'Too many reveals', 'Too many reveals by this operator; retry in 42 s'),
        },
      },
    },
    async (request, reply) => {
      const { customerId } = request.params;
      return sendFleeting(reply, await revealIdentity(services, actorOf(request), customerId)) as never;
    },
  );
}
