import { badRequest, refusal, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import type { Access } from '../programs/access.ts';
import { actorOf } from '../programs/actor.ts';
import { answerAuthentication, NOT_OPEN } from './answer-authentication.ts';
import type { AuthenticationServices } from './change-authentication.ts';
import { EXAMPLE_ANSWERED } from './examples.ts';
import { AnswerBody, AnsweredView, AnswerPath } from './schema.ts';

/** For merchants: the cardholder answers in their app. */
export function answerRoutes(app: App, services: Pick<AuthenticationServices, 'db' | 'metrics'>): void {
  app.post(
    '/authentications/:authenticationId/answer/',
    {
      config: { scope: 'write', role: 'admin' } satisfies Access,
      schema: {
        tags: ['Authentications'],
        operationId: 'answerAuthentication',
        summary: 'Answer an out-of-band challenge',
        description:
          'The answer of the cardholder to `authentication.challenge`, once and within 5 minutes of real time.',
        params: AnswerPath,
        body: AnswerBody,
        response: {
          200: success(AnsweredView, 'Answered', EXAMPLE_ANSWERED),
          ...badRequest([400, 'approve: is required']),
          ...refusal(409, 'Answered already, expired, or not out of band', NOT_OPEN),
        },
      },
    },
    async (request) =>
      answerAuthentication(services, actorOf(request), request.params.authenticationId, request.body.approve),
  );
}
