import type { Digest } from '../../kernel/digest.ts';
import { secret } from '../../kernel/secret.ts';
import { hashesOfToken } from '../seals.ts';

/** For how long a person who has signed in again at the provider may do what others need their password for. */
export const CONFIRMED_FOR_SECONDS = 300;

const partsOf = (session: string, atMs: string): string[] => ['operator-openid-confirmation', session, atMs];

/** The value of the cookie. It belongs to one session, which the keyed hash of its token names. */
export function sealConfirmation(digest: Digest, session: string): string {
  const atMs = String(Date.now());
  return `${atMs}.${digest(...partsOf(session, atMs)).toString('base64url')}`;
}

/** `token`: of the session that sends the request. */
export function isConfirmed(digest: Digest, token: string | undefined, cookie: string | undefined): boolean {
  const [atMs = '', seal = ''] = cookie?.split('.') ?? [];
  const ageMs = Date.now() - Number(atMs);
  if (!token || !(ageMs >= 0 && ageMs < CONFIRMED_FOR_SECONDS * 1000)) return false;
  return hashesOfToken(digest, secret(token)).some((session) =>
    digest.matches(Buffer.from(seal, 'base64url'), ...partsOf(session.toString('hex'), atMs)),
  );
}
