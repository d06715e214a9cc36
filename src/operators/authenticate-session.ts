import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../db/database.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError } from '../kernel/error.ts';
import { secret } from '../kernel/secret.ts';
import type { Operator } from './operator.ts';
import { findSession, touchSession } from './queries.ts';
import { csrfTokenOf, hashesOfToken, isTokenOf, isUnaltered } from './seals.ts';

/** Without a request for so long, a session ends, as PCI DSS 4 asks for (8.2.8). */
export const IDLE_MS = 15 * 60_000;
const TOUCH_EVERY_MS = 60_000;

export interface OperatorSession {
  operator: Operator;
  tokenHash: Buffer;
  /** What a page of ours knows and a stranger's page cannot read. */
  csrfToken: string;
  expiresAt: Date;
}

/** `unattended`: nobody has touched the page for a while, it only keeps itself up to date. */
export type AuthenticateSession = (
  token: string | undefined,
  unattended?: boolean,
) => Promise<OperatorSession>;

/** Every request reads its session and its operator, so that a change of role or a sign-out holds at once. */
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
    // A screen on the wall may stay signed in for the day as somebody who can do nothing but look.
    const counts = !unattended || operator.role === 'viewer';
    // Beside the request: nobody waits for, or fails with, this note.
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
 * A request that changes something must come from a page of ours: it shows the token that only our pages can read. The
 * browser's own word on where the request comes from is heeded too.
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

export function requireSameSite(headers: Record<string, string | string[] | undefined>): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin')
    throw new EmbossError(403, 'The request comes from another site');
}
