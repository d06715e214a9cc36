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

/**
 * Counts are kept under the oldest live key: it stays the same throughout a rotation, and so does a lock. Under which
 * attempts are counted, whether or not there is such an operator.
 */
export const digestEmail = (digest: Digest, email: string): Buffer =>
  digest.all('operator-sign-in', email).at(-1) as Buffer;

/** Where attempts come from: an address, a known device, or the sessions of the operator. */
export const digestSource = (
  digest: Digest,
  kind: 'address' | 'device' | 'session' | 'codes',
  id: string,
): Buffer => digest.all('operator-sign-in-source', kind, id).at(-1) as Buffer;

const DEVICE_BYTES = 18;
const deviceParts = (email: string, id: string): string[] => ['operator-device', email, id];

/** For a browser in which an operator signed in. It opens nothing: strangers' failures do not count for it. */
export function newDevice(digest: Digest, email: string): string {
  const id = randomBytes(DEVICE_BYTES).toString('base64url');
  return `${id}.${digest(...deviceParts(email, id)).toString('base64url')}`;
}

/** The id of a device on which the operator of this address signed in before; undefined for any other. */
export function deviceIdOf(digest: Digest, given: string | undefined, email: string): string | undefined {
  const [id = '', seal = ''] = given?.split('.') ?? [];
  return digest.matches(Buffer.from(seal, 'base64url'), ...deviceParts(email, id)) ? id : undefined;
}

/** Names the second factor too: the codes of a former one open nothing. The first is the one to store. */
export const digestsOfRecoveryCode = (
  history: Digest,
  { id, secondFactorId }: Pick<OperatorRow, 'id' | 'secondFactorId'>,
  code: string,
): Buffer[] => history.all('operator-recovery-code', id, secondFactorId ?? '', code);

/** Binds an account to what it may do and how it is proven: a row written or altered past us is not believed. */
export const sealOperator = (digest: Digest, operator: Omit<OperatorRow, 'rightsSeal'>): Buffer =>
  digest(...rightsParts(operator));

const rightsParts = (operator: Omit<OperatorRow, 'rightsSeal'>): string[] => {
  const { id, email, role, programId, password, secondFactorId } = operator;
  const state = operator.disabledAt ? 'disabled' : operator.mustChangePassword ? 'must-change' : 'enabled';
  return ['operator-rights', id, email, role, programId ?? '', password, secondFactorId ?? '', state];
};

export function isUnaltered(
  digest: Digest,
  operator: OperatorRow,
  onError: (error: unknown) => void,
): boolean {
  if (digest.matches(operator.rightsSeal, ...rightsParts(operator))) return true;
  onError(new Error(`the row of operator ${operator.id} was altered`));
  return false;
}
