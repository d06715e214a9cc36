import type { FastifyReply, FastifyRequest } from 'fastify';
import { attemptOtp } from '../../authentications/attempt-otp.ts';
import type { Authentication, CardAuthentication } from '../../authentications/authentication.ts';
import { cancelAuthentication } from '../../authentications/cancel-authentication.ts';
import type { AuthenticationServices } from '../../authentications/change-authentication.ts';
import { presentNow } from '../../authentications/network-api.ts';
import { resendOtp } from '../../authentications/resend-otp.ts';
import { AttemptBody } from '../../authentications/schema.ts';
import { findCard } from '../../cards/queries.ts';
import { secretField } from '../../http/body.ts';
import type { App } from '../../http/server.ts';
import { sendFile } from '../../http/static-file.ts';
import { amountInWords, formatAmount } from '../../kernel/money.ts';
import type { Secret } from '../../kernel/secret.ts';
import { type Actor, readActor, requestIdentity } from '../../programs/actor.ts';
import { createFindChallenge } from './find-challenge.ts';
import { PAGE } from './page.ts';
import { ChallengePath, ChallengeView } from './schema.ts';

const PATH = '/challenge/:id/';
const schema = { hide: true, params: ChallengePath, response: { 200: ChallengeView } };

type Work = (actor: Actor, found: CardAuthentication) => Promise<Authentication>;

/** The page, and the requests that it sends. They are part of the page and not of the API. */
export function challengeRoutes(app: App, services: AuthenticationServices): void {
  const { db } = services;
  const findChallenge = createFindChallenge(db);

  app.get(PATH, { schema: { hide: true, params: ChallengePath } as never }, async (request, reply) => {
    await findChallenge((request.params as { id: string }).id);
    reply.header('content-security-policy', `${PAGE.policy}; frame-ancestors 'none'`);
    reply.header('x-robots-tag', 'noindex');
    return sendFile(request, reply, PAGE.file, 'no-store');
  });

  const run = async (request: FastifyRequest, reply: FastifyReply, work: Work) => {
    reply.header('cache-control', 'no-store');
    const found = await findChallenge((request.params as { id: string }).id);
    const actor = await readActor(db, requestIdentity('system:challenge-page', request), found.programId);
    return presentChallenge(services, actor, (await work(actor, found)) as CardAuthentication);
  };

  app.get(`${PATH}state/`, { schema }, async (request, reply) =>
    run(request, reply, async (_actor, found) => found),
  );
  app.post(`${PATH}attempts/`, { schema: { ...schema, body: AttemptBody } }, async (request, reply) =>
    run(request, reply, (actor, found) =>
      attemptOtp(services, actor, found, secretField(request, 'otp') as Secret),
    ),
  );
  app.post(`${PATH}resend/`, { schema }, async (request, reply) =>
    run(request, reply, (actor, found) => resendOtp(services, actor, found)),
  );
  app.post(`${PATH}cancel/`, { schema }, async (request, reply) =>
    run(request, reply, (actor, found) => cancelAuthentication(services, actor, found)),
  );
}

async function presentChallenge(services: AuthenticationServices, actor: Actor, stored: CardAuthentication) {
  const { programId, cardId, merchant, amountMinor } = stored;
  const currency = stored.currency as string;
  const { view } = presentNow(actor, stored);
  const card = await findCard(services.db, programId, cardId);
  return {
    ...view,
    merchant_name: merchant?.name ?? null,
    amount: amountInWords(formatAmount(amountMinor as bigint, currency), currency),
    last_four: card?.lastFour as string,
  };
}
