import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { declaredOnly, secretField } from '../../http/body.ts';
import { sendFleeting } from '../../http/fleeting.ts';
import type { AnswerOnce } from '../../http/idempotency.ts';
import { requireSameSite } from '../../http/same-site.ts';
import { badRequest, errorResponses, IdempotencyHeaders, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { sendFile } from '../../http/static-file.ts';
import { notFound } from '../../kernel/error.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf, requestIdentity } from '../../programs/actor.ts';
import { claimOf, markReplay } from '../../programs/answer-request.ts';
import type { AuditRefusedReveal } from '../audit-refused-reveal.ts';
import { UNUSABLE_CARD } from '../card.ts';
import type { RevealServices } from '../reveal-credentials.ts';
import { CardPath } from '../schema.ts';
import { createSession, type SessionServices } from './create-session.ts';
import { EXAMPLE_SESSION } from './examples.ts';
import { PAGE, pageHeaders } from './page.ts';
import { revealOnce } from './reveal-once.ts';
import { readPublicId } from './reveal-session.ts';
import { CreatedSession, SessionBody, VerifierBody } from './schema.ts';

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
          'A card has at most 5 open sessions. Blocking or reissuing the card ends them. Send an Idempotency-Key to retry safely.',
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
          ...errorResponses(401, 403, 404, 409, 413, 500, 503),
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

/** The time of every refusal, so that it does not depend on its cause. */
const REFUSED_AFTER_MS = 200;
const SessionPath = Type.Object({ id: Type.String() });

/** The page, and the one request that it sends. Both are part of the page and not of the API. */
export function revealPageRoutes(app: App, services: RevealServices & { revealUrl: string }): void {
  const { origin: ownOrigin } = new URL(services.revealUrl);

  app.get(
    '/reveal/:id/',
    { schema: { hide: true, params: SessionPath } as never },
    async (request, reply) => {
      const { origin } = readPublicId((request.params as { id: string }).id);
      reply.headers(pageHeaders(origin));
      if (origin !== null) reply.removeHeader('x-frame-options');
      return sendFile(request, reply, PAGE, 'no-store');
    },
  );

  app.post(
    '/reveal/:id/',
    { schema: { hide: true, params: SessionPath, body: VerifierBody } },
    async (request, reply) => {
      requireSameSite(request.headers, ownOrigin);
      reply.header('cache-control', 'no-store');
      const refusedAt = pause(REFUSED_AFTER_MS, undefined, { ref: false });
      const verifier = secretField(request, 'verifier') as Secret;
      const by = requestIdentity('system:reveal-session', request);
      const json = await revealOnce(services, readPublicId(request.params.id), verifier, by);
      if (json) return sendFleeting(reply, json) as never;
      await refusedAt;
      throw notFound();
    },
  );
}
