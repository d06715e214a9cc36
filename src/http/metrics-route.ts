import { createHash, timingSafeEqual } from 'node:crypto';
import { EmbossError } from '../kernel/error.ts';
import { bytesOf, type Secret, secret } from '../kernel/secret.ts';
import { shareRecent } from '../kernel/share-recent.ts';
import { BUILT_EVERY_MS, type ProcessMetrics } from './metrics.ts';
import type { App } from './server.ts';

/** Who may read `/metrics`: who sends this token, anybody, or nobody (the path is unknown). */
export type MetricsAccess = Secret | 'anybody' | 'nobody';

export function metricsRoute(
  app: App,
  metrics: Pick<ProcessMetrics, 'text' | 'contentType'>,
  access: MetricsAccess,
): void {
  if (access === 'nobody') return;
  // As bytes, because every response would encode a text again.
  const read = shareRecent(BUILT_EVERY_MS, async () => Buffer.from(await metrics.text()));
  app.get(
    '/metrics',
    { config: { countedAs: 'scrape' }, schema: { hide: true } as never },
    async (request, reply) => {
      if (access !== 'anybody' && !hasToken(request.headers.authorization, access))
        throw new EmbossError(401, 'Authentication failed');
      const text = await read();
      if (request.raw.socket.destroyed) throw new EmbossError(400, 'The connection was closed');
      return reply.type(metrics.contentType).send(text);
    },
  );
}

function hasToken(header: string | undefined, token: Secret): boolean {
  const [, given] = /^Bearer +(\S+) *$/i.exec(header ?? '') ?? [];
  return given !== undefined && timingSafeEqual(hash(secret(given)), hash(token));
}

/** Of equal length, which the comparison needs. */
const hash = (token: Secret): Buffer => createHash('sha256').update(bytesOf(token)).digest();
