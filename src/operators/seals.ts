import { randomBytes } from 'node:crypto';
import type { Digest } from '../kernel/digest.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';
import type { OperatorRow } from './queries.ts';

/** What is made with the vault's digest key, and so cannot be made in the database. */

const TOKEN_BYTES = 32;

/** A token says whose it is: a session that was moved to another operator's account opens nothing. */
export const newToken = (operatorId: string): Secret =>
  secret(`${operatorId}.${randomBytes(TOKEN_BYTES).toString('base64url')}`);

export const isTokenOf = (token: Secret, operatorId: string): boolean =>
  reveal(token).startsWith(`${operatorId}.`);

/** What is kept of a token. */
export const hashToken = (digest: Digest, token: Secret): Buffer => digest('operator-session', reveal(token));

/** How a request finds its session's row, in one read, whichever of the vault's keys it was hashed with. */
export const hashesOfToken = (digest: Digest, token: Secret): Buffer[] =>
  digest.all('operator-session', reveal(token));

/** Follows from the session's token, so that it needs no place of its own; the same for as long as the session lasts. */
export const csrfTokenOf = (digest: Digest, tokenHash: Buffer, token: Secret): string =>
  (digest.like(tokenHash, 'operator-csrf', reveal(token)) as Buffer).toString('base64url');

/** Under which attempts are counted, whether or not there is such an operator: what to count under first, then older ones. */
export const digestsOfEmail = (digest: Digest, email: string): Buffer[] => {
  const current = digest('operator-sign-in', email);
  return [current, ...digest.all('operator-sign-in', email).filter((other) => !other.equals(current))];
};

/** Binds an account to what it may do and how it is proven: a row written or altered past us is not believed. */
export const sealOperator = (digest: Digest, operator: Omit<OperatorRow, 'rightsSeal'>): Buffer =>
  digest(...rightsParts(operator));

const rightsParts = ({
  id,
  email,
  role,
  programId,
  password,
  disabledAt,
}: Omit<OperatorRow, 'rightsSeal'>): string[] => [
  'operator-rights',
  id,
  email,
  role,
  programId ?? '',
  password,
  disabledAt ? 'disabled' : 'enabled',
];

export function isUnaltered(
  digest: Digest,
  operator: OperatorRow,
  onError: (error: unknown) => void,
): boolean {
  if (digest.matches(operator.rightsSeal, ...rightsParts(operator))) return true;
  onError(new Error(`the row of operator ${operator.id} was altered`));
  return false;
}
