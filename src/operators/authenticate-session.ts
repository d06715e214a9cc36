import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { requireSameSite } from '../http/same-site.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError } from '../kernel/error.ts';
import { secret } from '../kernel/secret.ts';
import type { Operator } from './operator.ts';
import { findSession, touchSession } from './queries.ts';
import { csrfTokenOf, hashesOfToken, isTokenOf, isUnaltered } from './seals.ts';

/** A session ends after this time without a request, as PCI DSS 4 requires (8.2.8). */
export const IDLE_MS = 15 * 60_000;
const TOUCH_EVERY_MS = 60_000;

export interface OperatorSession {
  operator: Operator;
  tokenHash: Buffer;
  /** Pages of the console know this token; pages of other sites cannot read it. */
  csrfToken: string;
  expiresAt: Date;
}

/** `unattended`: the page had no operator input for a while and only refreshes its data. */
export type AuthenticateSession = (
  token: string | undefined,
  unattended?: boolean,
) => Promise<OperatorSession>;

/** Every request reads its session and its operator, so that a change of role or a sign-out takes effect at once. */
export function createSessionAuthenticator(
  db: Database,
  digest: Digest,
  onError: (error: unknown) => void,
): AuthenticateSession {
  return async (given, unattended = false) => {
    if (!given) throw notSignedIn();
    const token = secret(given);
    await digest.refresh();
    const row = await findSession(db, hashesOfToken(digest, token), IDLE_MS);
    if (!row || !isTokenOf(token, row.id) || !isUnaltered(digest, row, onError)) throw notSignedIn();
    const { databaseMs, expiresAt, lastSeenAt, tokenHash, ...operator } = row;
    // Unattended requests of a viewer count too, so that a wall display can stay signed in for the day.
    const counts = !unattended || operator.role === 'viewer';
    // In the background: the request neither waits for the update nor fails with it.
    if (counts && databaseMs - lastSeenAt.getTime() > TOUCH_EVERY_MS)
      touchSession(db, tokenHash).catch(onError);
    return {
      operator,
      tokenHash,
      csrfToken: csrfTokenOf(digest, tokenHash, token),
      expiresAt,
    };
  };
}

const notSignedIn = (): EmbossError => new EmbossError(401, 'Sign in first');

/**
 * A request that changes something must come from a page of the console: it must contain the token that only these
 * pages can read. The browser's `Sec-Fetch-Site` header is checked too.
 */
export function requireOwnPage(
  { csrfToken }: Pick<OperatorSession, 'csrfToken'>,
  headers: Record<string, string | string[] | undefined>,
): void {
  const given = Buffer.from(String(headers['x-csrf-token'] ?? ''));
  const wanted = Buffer.from(csrfToken);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new EmbossError(403, 'x-csrf-token: is missing or belongs to another session; reload the page');
  requireSameSite(headers);
}
