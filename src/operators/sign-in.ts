import { randomBytes } from 'node:crypto';
import type { Database, Tx } from '../db/database.ts';
import { INSTALLATION_ID } from '../events/event.ts';
import { recordAudit } from '../events/journal.ts';
import { EmbossError } from '../kernel/error.ts';
import { type Secret, secret } from '../kernel/secret.ts';
import type { Digest } from '../programs/api-key.ts';
import type { OperatorServices } from './manage-operators.ts';
import { normalizeEmail, type Operator, operatorActor } from './operator.ts';
import {
  countAttempt,
  findLock,
  findOperatorByEmail,
  forgetAttempts,
  insertSession,
  type OperatorRow,
} from './queries.ts';
import { digestEmail, hashToken, isUnaltered } from './seals.ts';

const TOKEN_BYTES = 32;
const SESSION_LIFE_MS = 12 * 3_600_000;
const MOST_FAILURES = 5;
const LOCK_MS = 15 * 60_000;

export interface SignInServices extends OperatorServices {
  db: Database;
  onError: (error: unknown) => void;
}

/** Unknown address and wrong password look alike, in words and in time. */
export async function signIn(
  services: SignInServices,
  given: { email: string; password: Secret },
  requestId: string,
): Promise<{ token: Secret; operator: Operator; expiresAt: Date }> {
  const { db, digest, passwords } = services;
  const email = normalizeEmail(given.email);
  const emailDigest = digestEmail(digest, email);
  if ((await countAttempt(db, emailDigest, MOST_FAILURES, LOCK_MS)) === undefined)
    throw await lockedOut(db, emailDigest);
  const found = await findOperatorByEmail(db, email);
  const operator = found && isUsable(services, found) ? found : undefined;
  if (!(await passwords.matches(operator, given.password)) || !operator) {
    if (found) await db.transaction((tx) => audit(tx, found, 'operator.sign_in_refused', requestId));
    throw new EmbossError(401, 'E-mail address or password is wrong');
  }
  const token = secret(randomBytes(TOKEN_BYTES).toString('base64url'));
  const expiresAt = await db.transaction(async (tx) => {
    await audit(tx, operator, 'operator.signed_in', requestId);
    await forgetAttempts(tx, emailDigest);
    return insertSession(tx, hashToken(digest, token), operator.id, SESSION_LIFE_MS);
  });
  return { token, operator, expiresAt };
}

/** For somebody who was locked out and has proven otherwise who they are. */
export const unlock = ({ db, digest }: { db: Database; digest: Digest }, email: string): Promise<boolean> =>
  forgetAttempts(db, digestEmail(digest, normalizeEmail(email)));

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

function audit(
  tx: Tx,
  operator: Operator,
  action: 'operator.signed_in' | 'operator.sign_in_refused',
  requestId: string,
): Promise<void> {
  return recordAudit(tx, {
    programId: INSTALLATION_ID,
    actor: operatorActor(operator.id),
    action,
    cardId: null,
    before: null,
    after: { id: operator.id, email: operator.email },
    requestId,
    nowMs: Date.now(),
  });
}
