import { declaredOnly } from '../../http/body.ts';
import type { AnswerOnce } from '../../http/idempotency.ts';
import { badRequest, IdempotencyHeaders, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { claimOf, markReplay } from '../../programs/answer-request.ts';
import type { AuditRefusedReveal } from '../audit-refused-reveal.ts';
import { UNUSABLE_CARD } from '../card.ts';
import { CardPath } from '../schema.ts';
import { createSession, type SessionServices } from './create-session.ts';
import { EXAMPLE_SESSION } from './examples.ts';
import { CreatedSession, SessionBody } from './schema.ts';

export interface SessionRouteServices extends SessionServices {
  answerOnce: AnswerOnce;
  auditRefusedReveal: AuditRefusedReveal;
}

/** For merchants only: the console reveals numbers through its own route. */
export function revealSessionRoutes(app: App, services: SessionRouteServices): void {
  app.post(
    '/cards/:cardId/reveal-sessions/',
    {
      config: { scope: 'reveal' } satisfies Access,
      onError: services.auditRefusedReveal,
      schema: {
        tags: ['Cards'],
        operationId: 'createRevealSession',
        summary: 'Create reveal session',
        description:
          'A page that shows the card to its holder, once, within 60 seconds; your server never holds the number. Requires the scope `reveal`. ' +
          'A card has at most 5 open sessions. Blocking the card or reissuing it with a new number, expiry date or CVV ends them, and revoking the key ends those that it created; an identical reissue does not. Send an Idempotency-Key to retry safely.',
        params: CardPath,
        headers: IdempotencyHeaders,
        body: SessionBody,
        response: {
          201: success(CreatedSession, 'The session was created', EXAMPLE_SESSION),
          ...badRequest([400, 'challenge: is required'], ...UNUSABLE_CARD),
          ...refusal(
            429,
            'Too many open sessions',
            'The card has 5 open reveal sessions, the most allowed; retry in 42 s',
          ),
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { cardId } = request.params;
      const claim = claimOf(request, { endpoint: 'POST reveal-sessions', request: { cardId, body } });
      const answered = services.answerOnce(claim, (remember) =>
        createSession(services, actorOf(request), cardId, declaredOnly(SessionBody, body), remember),
      );
      return reply.code(201).send(await markReplay(reply, answered));
    },
  );
}
