import type { Database, Queryable } from '../db/database.ts';
import { clientAddress } from '../http/client-address.ts';
import type { Limit } from '../http/limits.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError } from '../kernel/error.ts';
import type { Secret } from '../kernel/secret.ts';
import { auditSignIn } from './audit.ts';
import type { OperatorServices } from './manage-operators.ts';
import { normalizeEmail, type Operator } from './operator.ts';
import { pepperedOf } from './password.ts';
import {
  countAttempt,
  findLock,
  findOperatorByEmail,
  forgetAttempts,
  insertSession,
  lockOperator,
  moveAttempts,
  type OperatorRow,
  updateOperator,
} from './queries.ts';
import { digestsOfEmail, hashToken, isUnaltered, newToken, sealOperator } from './seals.ts';

const SESSION_LIFE_MS = 12 * 3_600_000;
const MOST_FAILURES = 5;
const LOCK_MS = 15 * 60_000;

export interface SignInServices extends OperatorServices {
  db: Database;
  countSignIn: (outcome: 'signed_in' | 'refused' | 'locked_out') => void;
  /** By the address from which they come. */
  wrongPasswords: Limit;
  onError: (error: unknown) => void;
}

/** The request behind an attempt: its id, and the client's address as Fastify names it. */
export interface Origin {
  requestId: string;
  ip: string;
}

/** Unknown address and wrong password look alike, in words and in time. */
export async function signIn(
  services: SignInServices,
  given: { email: string; password: Secret },
  origin: Origin,
): Promise<{ token: Secret; tokenHash: Buffer; operator: Operator; expiresAt: Date }> {
  const { digest } = services;
  const email = normalizeEmail(given.email);
  const found = await checkPassword(services, email, given.password, origin);
  if (!found) throw wrong();
  const token = newToken(found.id);
  const tokenHash = hashToken(digest, token);
  const password = await renewedPassword(services, found, given.password);
  return services.db.transaction(async (tx) => {
    // Checking took its time: whoever changed or disabled the account meanwhile waits for us, or we for them.
    const operator = await lockOperator(tx, found.id);
    if (!operator?.rightsSeal.equals(found.rightsSeal)) throw wrong();
    const renewed = { ...operator, password };
    if (password !== operator.password)
      await updateOperator(tx, { ...renewed, rightsSeal: sealOperator(digest, renewed) });
    await auditSignIn(tx, 'operator.signed_in', operator, origin);
    const expiresAt = await insertSession(tx, tokenHash, operator.id, SESSION_LIFE_MS);
    return { token, tokenHash, operator, expiresAt };
  });
}

/** While the vault's key is being replaced, each password follows when it is used. */
const renewedPassword = async (
  { digest, passwords }: OperatorServices,
  { id, password }: OperatorRow,
  given: Secret,
): Promise<string> => (digest.isCurrent(pepperedOf(password)) ? password : passwords.hash(id, given));

/**
 * The operator, if it is their password. Each attempt is counted before the password is looked at; a good one begins
 * the count anew.
 */
export async function checkPassword(
  services: SignInServices,
  email: string,
  password: Secret,
  origin: Origin,
): Promise<OperatorRow | undefined> {
  const { db, digest, passwords, wrongPasswords } = services;
  const address = clientAddress(origin.ip);
  // Whoever tries one password with many addresses of mail locks none of them out.
  if (wrongPasswords.isReached(address)) throw wrongPasswords.refuse(address);
  const leave = passwords.enter();
  try {
    await digest.refresh();
    const emailDigest = await countedUnder(db, digest, email);
    const failures = await countAttempt(db, emailDigest, MOST_FAILURES, LOCK_MS);
    if (failures === undefined) {
      services.countSignIn('locked_out');
      wrongPasswords.count(address);
      throw await lockedOut(db, emailDigest);
    }
    const found = await findOperatorByEmail(db, email);
    const operator = found && isUsable(services, found) ? found : undefined;
    if ((await passwords.matches(operator, password)) && operator) {
      await forgetAttempts(db, emailDigest);
      services.countSignIn('signed_in');
      return operator;
    }
    services.countSignIn('refused');
    wrongPasswords.count(address);
    const action = failures === MOST_FAILURES ? 'operator.locked_out' : 'operator.sign_in_refused';
    await db.transaction((tx) => auditSignIn(tx, action, found, origin));
    return undefined;
  } finally {
    leave();
  }
}

/** What was counted under a key of the vault that is being replaced is counted on under the new one. */
async function countedUnder(db: Queryable, digest: Digest, email: string): Promise<Buffer> {
  const [current, ...older] = digestsOfEmail(digest, email);
  if (older.length > 0) await moveAttempts(db, older, current as Buffer);
  return current as Buffer;
}

/** For somebody who was locked out and has proven otherwise who they are. */
export const unlock = (
  { db, digest }: { db: Database; digest: Digest },
  operator: Operator,
  actor: string,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const wasCounted = await forgetAttempts(tx, await countedUnder(tx, digest, operator.email));
    if (wasCounted) await auditSignIn(tx, 'operator.unlocked', operator, null, actor);
    return wasCounted;
  });

const wrong = (): EmbossError => new EmbossError(401, 'E-mail address or password is wrong');

function isUsable({ digest, onError }: SignInServices, operator: OperatorRow): boolean {
  return operator.disabledAt === null && isUnaltered(digest, operator, onError);
}

async function lockedOut(db: Database, emailDigest: Buffer): Promise<EmbossError> {
  const seconds = (await findLock(db, emailDigest)) ?? 1;
  const minutes = Math.ceil(seconds / 60);
  const when = minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
  return new EmbossError(
    429,
    `Too many wrong passwords; try again ${when}, or have an administrator unlock the account`,
    { retryAfterSeconds: seconds },
  );
}
