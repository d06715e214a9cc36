import type { Identity } from '../audit/entry.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import type { Secret } from '../kernel/secret.ts';
import { auditAccount } from './audit.ts';
import { revokeInvitationsBy } from './invite.ts';
import { checkEmail, checkName, type Operator } from './operator.ts';
import { checkNewPassword, generatePassword, type Passwords } from './password.ts';
import { deleteSessionsOf, findOperators, insertOperator, lockAdministrators } from './queries.ts';
import { lockKnownOperator, saveOperator } from './save-operator.ts';
import { sealOperator } from './seals.ts';

export interface OperatorServices {
  digest: Digest;
  passwords: Passwords;
}

/** A password to set for an operator. */
export interface ChosenPassword {
  password: Secret;
  /** True if the operator chose the password: it need not be changed. */
  isTheirOwn: boolean;
}

/** The person at an OpenID provider, for an account without a password. */
export interface OpenIdLink {
  issuer: string;
  subject: string;
}

/** Generates a password if none is chosen. Only the result contains it in clear text. */
export async function addOperator(
  tx: Tx,
  { digest, passwords }: OperatorServices,
  by: Identity,
  input: Pick<Operator, 'email' | 'name' | 'role' | 'programId'>,
  credential?: ChosenPassword | OpenIdLink,
  action: 'operator.added' | 'operator.invitation_accepted' = 'operator.added',
): Promise<{ operator: Operator; password: Secret }> {
  const email = checkEmail(input.email);
  const name = checkName(input.name);
  const [link, chosen] = credential && 'issuer' in credential ? [credential] : [undefined, credential];
  const password = chosen?.password ?? generatePassword();
  checkNewPassword('password', password, email);
  const nowMs = Date.now();
  const id = newId(nowMs);
  const at = new Date(nowMs);
  const operator: Operator = {
    ...{ ...input, id, email, name, createdAt: at, passwordChangedAt: at },
    ...{ mustChangePassword: !link && !chosen?.isTheirOwn, secondFactorId: null, disabledAt: null },
    ...{ openidIssuer: link?.issuer ?? null, openidSubject: link?.subject ?? null, hasPassword: !link },
    lastSignedInAt: null,
  };
  const hash = link ? '' : await passwords.hash(id, password);
  const unsealed = { ...operator, password: hash, formerPasswords: [] };
  const row = { ...unsealed, rightsSeal: sealOperator(digest, unsealed) };
  if (!(await insertOperator(tx, row)))
    throw new EmbossError(409, `An operator with the address ${email} already exists`);
  await auditAccount(tx, by, action, null, operator);
  return { operator, password };
}

export type OperatorChanges = Partial<Pick<Operator, 'name' | 'role' | 'programId'>> & { enabled?: boolean };

/** A condition for a change, checked under the lock. It throws to refuse the change. */
export type Allow = (operator: Operator) => void;

/** Takes effect with the next request in every process. Disabling an operator ends all sessions of the operator. */
export async function changeOperator(
  db: Database,
  { digest }: Pick<OperatorServices, 'digest'>,
  by: Identity,
  id: string,
  { enabled, ...changes }: OperatorChanges,
  allow: (operator: Operator, administrators: readonly string[]) => void = () => {},
): Promise<Operator> {
  return db.transaction(async (tx) => {
    const administrators = await lockAdministrators(tx);
    const before = await lockKnownOperator(tx, id);
    allow(before, administrators);
    const disabledAt = enabled === undefined ? before.disabledAt : enabled ? null : new Date();
    const name = changes.name === undefined ? before.name : checkName(changes.name);
    const after = await saveOperator(tx, digest, { ...before, ...changes, name, disabledAt });
    if (enabled === false) await deleteSessionsOf(tx, id, null);
    if (!mayStillInvite(before, after)) await revokeInvitationsBy(tx, by, id);
    await auditAccount(tx, by, 'operator.changed', before, after);
    return after;
  });
}

const mayStillInvite = (before: Operator, { role, disabledAt, programId }: Operator): boolean =>
  role === 'admin' && disabledAt === null && (programId === null || programId === before.programId);

/** Together with the current password: the last four. */
const FORMER_PASSWORDS = 3;

/**
 * Ends all sessions except `keepSession`. Without one another person resets the password: an OpenID link, which may be
 * that of an attacker, ends too. Hashing is slow, so it runs before the transaction.
 */
export async function changePassword(
  db: Database,
  { digest, passwords }: OperatorServices,
  by: Identity,
  { id, email }: Pick<Operator, 'id' | 'email'>,
  { password, isTheirOwn }: ChosenPassword,
  keepSession: Buffer | null = null,
  allow: Allow = () => {},
): Promise<Operator> {
  checkNewPassword('newPassword', password, email);
  const [known] = await findOperators(db, [id]);
  for (const former of known ? [known.password, ...known.formerPasswords] : [])
    if (await passwords.matches({ id, password: former }, password))
      throw invalid('newPassword', 'must not be one of the last four passwords');
  const hash = await passwords.hash(id, password);
  return db.transaction(async (tx) => {
    const before = await lockKnownOperator(tx, id);
    allow(before);
    const after = await saveOperator(tx, digest, {
      ...before,
      password: hash,
      hasPassword: true,
      ...(keepSession === null && { openidIssuer: null, openidSubject: null }),
      formerPasswords: [before.password, ...before.formerPasswords]
        .filter(Boolean)
        .slice(0, FORMER_PASSWORDS),
      passwordChangedAt: new Date(),
      mustChangePassword: !isTheirOwn,
    });
    await deleteSessionsOf(tx, id, keepSession);
    await auditAccount(tx, by, 'operator.password_changed', before, after);
    return after;
  });
}
