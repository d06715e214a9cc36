import { randomBytes, timingSafeEqual } from 'node:crypto';
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

/** Where attempts come from: an address, a known device, or the sessions of the operator. */
export const digestSource = (digest: Digest, kind: 'address' | 'device' | 'session', id: string): Buffer =>
  digest('operator-sign-in-source', kind, id);

const DEVICE_BYTES = 18;
const sealDevice = (digest: Digest, email: string, id: string): string =>
  digest('operator-device', email, id).toString('base64url');

/** For a browser in which an operator signed in. It opens nothing: strangers' failures do not count for it. */
export function newDevice(digest: Digest, email: string): string {
  const id = randomBytes(DEVICE_BYTES).toString('base64url');
  return `${id}.${sealDevice(digest, email, id)}`;
}

/** The id of a device on which the operator of this address signed in before; undefined for any other. */
export function deviceIdOf(digest: Digest, given: string | undefined, email: string): string | undefined {
  const [id = '', seal = ''] = given?.split('.') ?? [];
  const wanted = Buffer.from(sealDevice(digest, email, id));
  const found = Buffer.from(seal);
  return found.length === wanted.length && timingSafeEqual(found, wanted) ? id : undefined;
}

/** Names the second factor too: the codes of a former one open nothing. */
export const digestRecoveryCode = (
  digest: Digest,
  { id, secondFactorId }: Pick<OperatorRow, 'id' | 'secondFactorId'>,
  code: string,
): Buffer => digest('operator-recovery-code', id, secondFactorId ?? '', code);

/** Binds an account to what it may do and how it is proven: a row written or altered past us is not believed. */
export const sealOperator = (digest: Digest, operator: Omit<OperatorRow, 'rightsSeal'>): Buffer => {
  const { id, email, role, programId, password, secondFactorId } = operator;
  const state = operator.disabledAt ? 'disabled' : operator.mustChangePassword ? 'must-change' : 'enabled';
  return digest('operator-rights', id, email, role, programId ?? '', password, secondFactorId ?? '', state);
};

export function isUnaltered(
  digest: Digest,
  operator: OperatorRow,
  onError: (error: unknown) => void,
): boolean {
  if (operator.rightsSeal.equals(sealOperator(digest, operator))) return true;
  onError(new Error(`the row of operator ${operator.id} was altered`));
  return false;
}
