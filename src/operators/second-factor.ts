import * as OTPAuth from 'otpauth';
import { type Identity, INSTALLATION_ID } from '../audit/entry.ts';
import type { Database, Tx } from '../db/database.ts';
import type { SealedRecords } from '../db/sealed-records.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';
import { auditAccount, auditSignIn } from './audit.ts';
import type { Allow } from './manage-operators.ts';
import type { Operator } from './operator.ts';
import { randomGroups } from './password.ts';
import {
  deleteRecoveryCode,
  deleteRecoveryCodes,
  deleteSessionsOf,
  insertRecoveryCodes,
  type OperatorRow,
  takeStep,
} from './queries.ts';
import { lockKnownOperator, saveOperator } from './save-operator.ts';
import { digestsOfRecoveryCode } from './seals.ts';

/** The settings that all authenticator apps support: SHA-1, six digits, 30 seconds. */
const ISSUER = 'Emboss';
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Codes of the previous and the next step are accepted too, because clocks differ. */
const DRIFT_STEPS = 1;
const RECOVERY_CODES = 10;
/** Two groups of five characters: 50 bits, stored as a digest under the vault's key. */
const RECOVERY_GROUPS = 2;
const RECOVERY_GROUP_LENGTH = 5;
const ENROLMENT_LIFE_MS = 15 * 60_000;
const KIND = 'operator-second-factor';
export type SecretKeeper = SealedRecords<typeof KIND>;

export interface SecondFactorServices {
  db: Database;
  digest: Digest;
  /** Digests of recovery codes, which stay valid after a key rotation. */
  history: Digest;
  keeper: SecretKeeper;
}

/** The second proof of an operator, in addition to the password. */
export type Factor = 'totp' | 'recovery_code';

const enrolmentBinding = (operator: Operator): string[] => ['operator-enrolment', operator.id];

export async function beginEnrolment({ db, keeper }: SecondFactorServices, operator: Operator) {
  requireNone(operator);
  const made = new OTPAuth.Secret({ size: SECRET_BYTES });
  const text = JSON.stringify({ secret: made.base32, untilMs: Date.now() + ENROLMENT_LIFE_MS });
  const sealed = await keeper.sealText(db, enrolmentBinding(operator), text);
  return {
    /** For an authenticator app, as a QR code. */
    uri: totpOf(operator, made.base32).toString(),
    /** The same secret, for manual entry. */
    secret: made.base32,
    /** Sent back with the first code. It contains the sealed secret: nothing is stored before the confirmation. */
    enrolment: sealed.toString('base64url'),
  };
}

/** The first code proves that the app has the secret. Ends all other sessions: they began without a second factor. */
export async function confirmEnrolment(
  { db, digest, history, keeper }: SecondFactorServices,
  by: Identity,
  operator: Operator,
  given: { enrolment: string; code: Secret },
  session: Buffer,
): Promise<Secret[]> {
  const opened = await keeper
    .openText(db, enrolmentBinding(operator), Buffer.from(given.enrolment, 'base64url'))
    .catch(() => undefined);
  const { secret: base32, untilMs } = JSON.parse(opened ?? '{}') as { secret?: string; untilMs?: number };
  if (base32 === undefined || !(Date.now() < (untilMs ?? 0)))
    throw invalid('enrolment', 'is no longer valid; start again');
  const step = stepOf(operator, base32, plain(given.code));
  if (step === undefined) throw invalid('code', 'is wrong');
  return db.transaction(async (tx) => {
    const before = await lockKnownOperator(tx, operator.id);
    requireNone(before);
    const secondFactorId = newId(Date.now());
    await keeper.sealRecord(
      tx,
      { programId: INSTALLATION_ID, ownerId: secondFactorId, kind: KIND, id: secondFactorId },
      { operatorId: before.id, secret: base32 },
    );
    const after = await saveOperator(tx, digest, { ...before, secondFactorId });
    await takeStep(tx, after.id, step);
    await deleteSessionsOf(tx, after.id, session);
    await auditAccount(tx, by, 'operator.second_factor_added', before, after);
    return newRecoveryCodes(tx, history, after);
  });
}

/** Called by the operator, or by an administrator after a loss. Ends all sessions except `keepSession`. */
export async function removeSecondFactor(
  { db, digest }: Pick<SecondFactorServices, 'db' | 'digest'>,
  by: Identity,
  { id }: Pick<Operator, 'id'>,
  keepSession: Buffer | null = null,
  allow: Allow = () => {},
): Promise<Operator> {
  return db.transaction(async (tx) => {
    const before = await lockKnownOperator(tx, id);
    allow(before);
    if (before.secondFactorId === null) throw new EmbossError(409, `${before.email} has no second factor`);
    const after = await saveOperator(tx, digest, { ...before, secondFactorId: null });
    await deleteRecoveryCodes(tx, id);
    await deleteSessionsOf(tx, id, keepSession);
    await auditAccount(tx, by, 'operator.second_factor_removed', before, after);
    return after;
  });
}

/** Earlier recovery codes become invalid. */
export async function renewRecoveryCodes(
  { db, history }: SecondFactorServices,
  by: Identity,
  { id }: Operator,
): Promise<Secret[]> {
  return db.transaction(async (tx) => {
    const operator = await lockKnownOperator(tx, id);
    requireOne(operator);
    await auditAccount(tx, by, 'operator.recovery_codes_renewed', operator, operator);
    return newRecoveryCodes(tx, history, operator);
  });
}

/** Accepts a code of the app or a recovery code, each only once. Undefined if it is wrong or was used. */
export async function spendCode(
  services: SecondFactorServices,
  by: Identity,
  operator: OperatorRow,
  code: Secret,
): Promise<Factor | undefined> {
  const text = plain(code);
  if (/^\d{6}$/.test(text)) {
    const step = stepOf(operator, await openSecret(services, operator), text);
    return step !== undefined && (await takeStep(services.db, operator.id, step)) ? 'totp' : undefined;
  }
  const digests = digestsOfRecoveryCode(services.history, operator, text);
  const wasOne = await services.db.transaction(async (tx) => {
    const found = await deleteRecoveryCode(tx, operator.id, digests);
    if (found) await auditSignIn(tx, by, 'operator.recovery_code_used', operator);
    return found;
  });
  return wasOne ? 'recovery_code' : undefined;
}

/** Ignores case, spaces and hyphens, because people type codes in different ways. */
const plain = (code: Secret): string => reveal(code).replaceAll(/[\s-]/g, '').toLowerCase();

function requireNone({ secondFactorId }: Operator): void {
  if (secondFactorId !== null)
    throw new EmbossError(409, 'A second factor is already set up; remove it first');
}

export function requireOne({ secondFactorId }: Operator): void {
  if (secondFactorId === null) throw new EmbossError(409, 'No second factor is set up; set one up first');
}

async function newRecoveryCodes(tx: Tx, history: Digest, operator: OperatorRow): Promise<Secret[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await deleteRecoveryCodes(tx, operator.id);
  await insertRecoveryCodes(
    tx,
    operator.id,
    codes.map((code) => digestsOfRecoveryCode(history, operator, code.replaceAll('-', ''))[0] as Buffer),
  );
  return codes.map(secret);
}

const newRecoveryCode = (): string => randomGroups(RECOVERY_GROUPS, RECOVERY_GROUP_LENGTH);

async function openSecret({ db, keeper }: SecondFactorServices, operator: OperatorRow): Promise<string> {
  const id = operator.secondFactorId as string;
  const found = (await keeper.openRecords(db, INSTALLATION_ID, KIND, [id])).get(id);
  const { operatorId, secret: base32 } = (found ?? {}) as { operatorId?: string; secret?: string };
  if (operatorId !== operator.id || base32 === undefined)
    throw new Error(`the second factor of operator ${operator.id} is missing in the vault`);
  return base32;
}

const totpOf = ({ email }: Pick<Operator, 'email'>, base32: string): OTPAuth.TOTP =>
  new OTPAuth.TOTP({ issuer: ISSUER, label: email, period: PERIOD_SECONDS, secret: base32 });

/** The time step that a code belongs to. */
function stepOf(operator: Pick<Operator, 'email'>, base32: string, code: string): number | undefined {
  const totp = totpOf(operator, base32);
  const timestamp = Date.now();
  const delta = totp.validate({ token: code, timestamp, window: DRIFT_STEPS });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}
