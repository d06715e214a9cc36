import type { Identity } from '../audit/entry.ts';
import type { Database } from '../db/database.ts';
import { clientAddress } from '../http/client-address.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import type { Secret } from '../kernel/secret.ts';
import { auditUnlock } from './audit.ts';
import { openSession } from './open-session.ts';
import { normalizeEmail, type Operator } from './operator.ts';
import { pepperedOf } from './password.ts';
import { type Claim, type ProofServices, prove, SIGN_INS, type Source } from './prove.ts';
import { forgetAllAttempts, lockOperator, type OperatorRow } from './queries.ts';
import { saveOperator } from './save-operator.ts';
import { deviceIdOf, digestEmail, digestSource } from './seals.ts';

/**
 * Unknown address and wrong password have the same message and duration. `device`: the cookie of an earlier sign-in.
 */
export async function signIn(
  services: ProofServices,
  by: Identity,
  given: Pick<Claim, 'email' | 'password' | 'code'> & {
    device?: string | undefined;
    userAgent?: string | undefined;
  },
) {
  const { db, digest } = services;
  await digest.refresh();
  const email = normalizeEmail(given.email);
  const source = sourceOf(digest, by, email, given.device);
  const verdict = await prove(services, by, { ...given, email }, source);
  if (!verdict.operator) throw refusal[verdict.wrong]();
  const { operator: found, factor } = verdict;
  services.metrics.count(SIGN_INS, { outcome: 'signed_in' });
  const password = await renewedPassword(services, found, given.password);
  return db.transaction(async (tx) => {
    // The account may have been changed or disabled during the slow check, so it is locked and its seal compared.
    const operator = await lockOperator(tx, found.id);
    if (!operator?.rightsSeal.equals(found.rightsSeal)) throw refusal.password();
    if (password !== operator.password) await saveOperator(tx, digest, { ...operator, password });
    return openSession(tx, digest, by, operator, {
      ...{ device: source.isKnown ? given.device : undefined, userAgent: given.userAgent },
      secondFactor: factor,
    });
  });
}

/** During a rotation of the vault's key, each password is hashed again when it is used. */
const renewedPassword = async (
  { digest, passwords }: ProofServices,
  { id, password }: OperatorRow,
  given: Secret,
): Promise<string> => (digest.isCurrent(pepperedOf(password)) ? password : passwords.hash(id, given));

/**
 * Confirms an action that a session alone must not allow: checks the operator's password, and a code if there is a
 * second factor. Throws a 400 that names the wrong one, and counts the failure. Only the operator's sessions add to
 * this count.
 */
export async function confirmOperator(
  services: ProofServices,
  by: Identity,
  { id, email }: Pick<Operator, 'id' | 'email'>,
  given: Pick<Claim, 'password' | 'code' | 'passwordOnly'>,
  passwordField = 'password',
): Promise<OperatorRow> {
  await services.digest.refresh();
  const name = `session ${id}`;
  const source = { isKnown: true, name, digest: digestSource(services.digest, 'session', id) };
  const verdict = await prove(services, by, { ...given, email }, source);
  if (verdict.operator) return verdict.operator;
  if (verdict.wrong === 'no code') throw invalid('code', 'is required');
  throw invalid(verdict.wrong === 'code' ? 'code' : passwordField, 'is wrong');
}

/** Unlocks an operator whose identity was verified in another way. */
export const unlock = (
  { db, digest }: { db: Database; digest: Digest },
  by: Identity,
  operator: Operator,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const wasCounted = await forgetAllAttempts(tx, digestEmail(digest, operator.email));
    if (wasCounted) await auditUnlock(tx, by, operator);
    return wasCounted;
  });

function sourceOf(digest: Digest, by: Identity, email: string, device: string | undefined): Source {
  const deviceId = deviceIdOf(digest, device, email);
  const [kind, id] =
    deviceId === undefined
      ? (['address', clientAddress(by.address)] as const)
      : (['device', deviceId] as const);
  return { isKnown: kind === 'device', name: `${kind} ${id}`, digest: digestSource(digest, kind, id) };
}

const refusal = {
  password: () => new EmbossError(401, 'E-mail address or password is wrong'),
  code: () => new EmbossError(401, 'code: is wrong'),
  'no code': () => new EmbossError(401, 'code: is required'),
};
