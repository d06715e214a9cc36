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

/** How a request finds its session's row, in one index read. */
export const hashToken = (digest: Digest, token: Secret): Buffer => digest('operator-session', reveal(token));

/** Follows from the session's token, so that it needs no place of its own. */
export const csrfTokenOf = (digest: Digest, token: Secret): string =>
  digest('operator-csrf', reveal(token)).toString('base64url');

/** Under which attempts are counted, whether or not there is such an operator. */
export const digestEmail = (digest: Digest, email: string): Buffer => digest('operator-sign-in', email);

/** Binds an account to what it may do and how it is proven: a row written or altered past us is not believed. */
export const sealOperator = (
  digest: Digest,
  { id, email, role, programId, password, disabledAt }: Omit<OperatorRow, 'rightsSeal'>,
): Buffer =>
  digest('operator-rights', id, email, role, programId ?? '', password, disabledAt ? 'disabled' : 'enabled');

export function isUnaltered(
  digest: Digest,
  operator: OperatorRow,
  onError: (error: unknown) => void,
): boolean {
  if (operator.rightsSeal.equals(sealOperator(digest, operator))) return true;
  onError(new Error(`the row of operator ${operator.id} was altered`));
  return false;
}
