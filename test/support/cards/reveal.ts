import { createHash, randomBytes } from 'node:crypto';
import type { Answer, TestApp } from '../server/test-app.ts';
import { type Exchange, exchange } from '../server/wire.ts';
import { CARDS } from './cards.ts';

export const ORIGIN = 'https://app.example.com';

export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');
export const newVerifier = (): string => randomBytes(32).toString('base64url');

export const requestSession = (
  app: TestApp,
  cardId: string,
  changes: object = {},
  options: { key?: string; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  app.call('POST', `${CARDS}${cardId}/reveal-sessions/`, {
    body: { origin: ORIGIN, challenge: challengeOf('any'), ...changes },
    ...options,
  });

export interface OpenSession {
  id: string;
  url: string;
  expiresAt: string;
  verifier: string;
}

/** As a merchant's server and the cardholder's browser create it together. */
export async function openSession(
  app: TestApp,
  cardId: string,
  changes: object = {},
  key: string = app.key,
): Promise<OpenSession> {
  const verifier = newVerifier();
  const { status, body } = await requestSession(
    app,
    cardId,
    { challenge: challengeOf(verifier), ...changes },
    { key },
  );
  if (status !== 201) throw new Error(`no session: ${JSON.stringify(body)}`);
  return { ...body, verifier };
}

/** The request of the page. */
export const spendSession = (
  { url }: Pick<TestApp, 'url'>,
  { id, verifier }: Pick<OpenSession, 'id' | 'verifier'>,
  headers: Record<string, string> = {},
): Promise<Exchange> => exchange(url, 'POST', `/reveal/${id}/`, { body: { verifier }, headers });
