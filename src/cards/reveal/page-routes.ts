import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { secretField } from '../../http/body.ts';
import { sendFleeting } from '../../http/fleeting.ts';
import { type Routed, routeOf } from '../../http/route-of.ts';
import { requireSameSite } from '../../http/same-site.ts';
import type { App } from '../../http/server.ts';
import { sendFile } from '../../http/static-file.ts';
import type { Digest } from '../../kernel/digest.ts';
import { notFound } from '../../kernel/error.ts';
import type { Secret } from '../../kernel/secret.ts';
import { requestIdentity } from '../../programs/actor.ts';
import { PAGE, pageHeaders } from './page.ts';
import { isOfSession, readPublicId } from './public-id.ts';
import { type PageServices, revealOnce } from './reveal-once.ts';
import { VerifierBody } from './schema.ts';

/** The time of every refusal, so that it does not depend on its cause. */
const REFUSED_AFTER_MS = 200;
const PATH = '/reveal/:id/';
const SessionPath = Type.Object({ id: Type.String() });

/**
 * A request about a session of ours is counted for that session: others behind the same address can neither use up its
 * requests nor invent sessions.
 */
export function sessionOf(digest: Digest, request: Routed & { params: unknown }): string | undefined {
  if (routeOf(request).url !== PATH) return undefined;
  const ref = readPublicId((request.params as { id: string }).id);
  return isOfSession(digest, ref) ? `reveal session ${ref.id}` : undefined;
}

/** The page, and the one request that it sends. Both are part of the page and not of the API. */
export function revealPageRoutes(app: App, services: PageServices & { revealUrl: string }): void {
  const { origin: ownOrigin } = new URL(services.revealUrl);

  app.get(PATH, { schema: { hide: true, params: SessionPath } as never }, async (request, reply) => {
    const { origin } = readPublicId((request.params as { id: string }).id);
    reply.headers(pageHeaders(origin));
    if (origin !== null) reply.removeHeader('x-frame-options');
    return sendFile(request, reply, PAGE.file, 'no-store');
  });

  app.post(
    PATH,
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
