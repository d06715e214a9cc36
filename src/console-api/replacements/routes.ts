import { Type } from 'typebox';
import type { CreateCardServices } from '../../cards/create-card.ts';
import { EXAMPLE_CARD_ANSWER } from '../../cards/examples.ts';
import { replaceBlockedCard } from '../../cards/replace-blocked-card.ts';
import { Card, ReplacementBody } from '../../cards/schema.ts';
import { declaredOnly } from '../../http/body.ts';
import type { AnswerOnce } from '../../http/idempotency.ts';
import { badRequest, IdempotencyHeaders, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { claimOf, markReplay } from '../../programs/answer-request.ts';
import { ProgramPath } from '../console-schema.ts';

const BlockedCardPath = Type.Object({
  ...ProgramPath.properties,
  blockedCardId: Type.String({ description: 'Id of the blocked card.' }),
});

export function replacementRoutes(app: App, services: CreateCardServices & { answerOnce: AnswerOnce }): void {
  app.post(
    '/cards/:blockedCardId/replacement/',
    {
      config: { role: 'manager' } satisfies Access,
      schema: {
        operationId: 'consoleReplaceCard',
        summary: 'Issue a replacement for a blocked card',
        description:
          'The same cardholder, design, type and spend controls; the KYC provider checks again. A second request returns the first replacement.',
        params: BlockedCardPath,
        headers: IdempotencyHeaders,
        body: ReplacementBody,
        response: {
          201: success(Card, 'The new card', EXAMPLE_CARD_ANSWER),
          ...badRequest(
            [400, 'Only a blocked card can be replaced; reissue the card instead'],
            [400, 'shippingInformation: is required for a physical card'],
          ),
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { blockedCardId } = request.params;
      const claim = claimOf(request, { endpoint: 'POST replacement', request: { blockedCardId, body } });
      const answered = services.answerOnce(claim, (remember) =>
        replaceBlockedCard(
          services,
          actorOf(request),
          blockedCardId,
          declaredOnly(ReplacementBody, body ?? {}),
          remember,
        ),
      );
      return reply.code(201).send(await markReplay(reply, answered));
    },
  );
}
