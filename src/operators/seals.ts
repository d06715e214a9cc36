import { randomBytes } from 'node:crypto';
import type { Digest } from '../kernel/digest.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';
import { isTaggedId, newTaggedId } from '../kernel/tagged-id.ts';
import type { InvitationRights } from './invitation-queries.ts';
import type { OperatorRow } from './queries.ts';

/** Values computed with the vault's digest key, which cannot be forged from within the database. */

const TOKEN_BYTES = 32;

/** A token contains its operator's id: a session row that is moved to another operator becomes invalid. */
export const newToken = (operatorId: string): Secret =>
  secret(`${operatorId}.${randomBytes(TOKEN_BYTES).toString('base64url')}`);

export const isTokenOf = (token: Secret, operatorId: string): boolean =>
  reveal(token).startsWith(`${operatorId}.`);

/** The stored hash of an invitation's token, which covers what the invitation gives. */
export const hashInvitation = (digest: Digest, token: Secret, invitation: InvitationRights): Buffer =>
  digest(...invitationParts(token, invitation));

export const isTokenOfInvitation = (
  digest: Digest,
  token: Secret,
  { tokenHash, ...invitation }: InvitationRights & { tokenHash: Buffer },
): boolean => digest.matches(tokenHash, ...invitationParts(token, invitation));

const invitationParts = (token: Secret, invitation: InvitationRights) => {
  const { id, email, name, role, programId, expiresAt } = invitation;
  return [
    'operator-invitation',
    reveal(token),
    id,
    email,
    name,
    role,
    programId ?? '',
    expiresAt.toISOString(),
  ];
};

/** The stored hash of a token. */
export const hashToken = (digest: Digest, token: Secret): Buffer => digest('operator-session', reveal(token));

/** The hashes of a token under every live key of the vault, so that one query finds its session. */
export const hashesOfToken = (digest: Digest, token: Secret): Buffer[] =>
  digest.all('operator-session', reveal(token));

/** Derived from the session's token, so it is not stored. It stays the same for the whole session. */
export const csrfTokenOf = (digest: Digest, tokenHash: Buffer, token: Secret): string =>
  (digest.like(tokenHash, 'operator-csrf', reveal(token)) as Buffer).toString('base64url');

/**
 * Identifies an account in the counts of attempts, whether or not the operator exists. The oldest live key stays the
 * same throughout a rotation, so that a lock stays in force.
 */
export const digestEmail = (digest: Digest, email: string): Buffer =>
  digest.all('operator-sign-in', email).at(-1) as Buffer;

/** Identifies a source of attempts: an address, a known device, the sessions of the operator, or the count of codes. */
export const digestSource = (
  digest: Digest,
  kind: 'address' | 'device' | 'session' | 'codes',
  id: string,
): Buffer => digest.all('operator-sign-in-source', kind, id).at(-1) as Buffer;

const DEVICE_BYTES = 18;
const DEVICE = 'operator-device';
const deviceParts = (email: string, id: string): string[] => [DEVICE, email, id];

/** A cookie for a browser that signed in. It grants no access, but failures from other sources do not count for it. */
export function newDevice(digest: Digest, email: string): string {
  const id = newTaggedId(digest, DEVICE_BYTES, DEVICE).toString('base64url');
  return `${id}.${digest(...deviceParts(email, id)).toString('base64url')}`;
}

/** The id of a device on which the operator of this address signed in before; undefined for any other. */
export function deviceIdOf(digest: Digest, given: string | undefined, email: string): string | undefined {
  const [id = '', seal = ''] = given?.split('.') ?? [];
  return digest.matches(Buffer.from(seal, 'base64url'), ...deviceParts(email, id)) ? id : undefined;
}

/** Names a device on which an operator signed in before, whoever it was. The body of a request, with the address, is not read yet. */
export function anyDeviceOf(digest: Digest, given: string | undefined): string | undefined {
  const [id = ''] = given?.split('.') ?? [];
  const bytes = Buffer.from(id, 'base64url');
  // An id has one spelling; each other one would be counted by itself.
  const isOne = bytes.toString('base64url') === id && isTaggedId(digest, bytes, DEVICE_BYTES, DEVICE);
  return isOne ? `device ${id}` : undefined;
}

/** Includes the second factor, so that codes of an earlier one are invalid. The first digest is the one to store. */
export const digestsOfRecoveryCode = (
  history: Digest,
  { id, secondFactorId }: Pick<OperatorRow, 'id' | 'secondFactorId'>,
  code: string,
): Buffer[] => history.all('operator-recovery-code', id, secondFactorId ?? '', code);

/** Binds an account to its rights and credentials, so that a row changed directly in the database is refused. */
export const sealOperator = (digest: Digest, operator: Omit<OperatorRow, 'rightsSeal'>): Buffer =>
  digest(...rightsParts(operator));

const rightsParts = (operator: Omit<OperatorRow, 'rightsSeal'>): string[] => {
  const { id, email, role, programId, password, secondFactorId, openidIssuer, openidSubject } = operator;
  const state = operator.disabledAt ? 'disabled' : operator.mustChangePassword ? 'must-change' : 'enabled';
  const link = [openidIssuer ?? '', openidSubject ?? ''];
  return [
    'operator-rights',
    id,
    email,
    role,
    programId ?? '',
    password,
    secondFactorId ?? '',
    state,
    ...link,
  ];
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
