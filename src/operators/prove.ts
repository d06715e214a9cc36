import type { Identity } from '../audit/entry.ts';
import type { Database } from '../db/database.ts';
import { clientAddress } from '../http/client-address.ts';
import type { Limit } from '../http/limits.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError } from '../kernel/error.ts';
import type { Counter, Metrics } from '../kernel/metric.ts';
import type { Secret } from '../kernel/secret.ts';
import type { WindowCounts } from '../kernel/window-counts.ts';
import { auditRefusal, type RefusalReason } from './audit.ts';
import type { OperatorServices } from './manage-operators.ts';
import {
  type AttemptKey,
  countAttempt,
  countSources,
  findLock,
  findOperatorByEmail,
  forgetAttempts,
  type OperatorRow,
  uncountAttempt,
} from './queries.ts';
import { digestEmail, digestSource, isUnaltered } from './seals.ts';
import { type Factor, type SecretKeeper, spendCode } from './second-factor.ts';
import type { SignInTurns } from './sign-in-turns.ts';

const MOST_FAILURES = 5;
/** As long as PCI DSS 4 requires (8.3.4). */
export const LOCK_MS = 30 * 60_000;
/** No person fails from this many sources, so each unknown source then gets only one attempt. */
const MANY_SOURCES = 10;
/** Limit of wrong codes after the right password, over all unknown sources together. */
const MOST_CODES = 10;

export const SIGN_INS: Counter<{ outcome: 'signed_in' | 'refused' | 'locked_out' }> = {
  type: 'counter',
  name: 'emboss_sign_ins_total',
  help: 'Attempts to sign in to the console, by outcome: signed_in, refused or locked_out.',
  labels: { outcome: ['signed_in', 'refused', 'locked_out'] },
};

export interface ProofServices extends OperatorServices {
  db: Database;
  history: Digest;
  keeper: SecretKeeper;
  turns: SignInTurns;
  metrics: Metrics;
  /** Counted by client address. */
  wrongPasswords: Limit;
  /** Refusals that were audited recently, so that a flood of them writes one entry. */
  audited: WindowCounts;
  onError: (error: unknown) => void;
}

export interface Claim {
  email: string;
  password: Secret;
  code?: Secret | undefined;
  /** No code is required. */
  passwordOnly?: boolean;
}

/** The source of an attempt. Attempts from one source share a count. */
export interface Source {
  /** True for a session, or a device that signed in before. Failures from other sources do not count for it. */
  isKnown: boolean;
  name: string;
  digest: Buffer;
}

export type Verdict =
  | { operator: OperatorRow; factor: Factor | null }
  | { operator?: never; wrong: 'password' | 'code' | 'no code' };

/**
 * Verifies the password, and the code if the operator has a second factor. Each attempt is counted for its account and
 * source before the password is checked; a successful attempt resets the count.
 */
export async function prove(
  services: ProofServices,
  by: Identity,
  claim: Claim,
  source: Source,
): Promise<Verdict> {
  const { wrongPasswords, turns } = services;
  const address = clientAddress(by.address);
  // Too many wrong passwords from one address, over all accounts.
  if (!source.isKnown && wrongPasswords.isReached(address)) {
    await auditFirst(services, by, claim.email, 'throttled', source.name);
    throw wrongPasswords.refuse(address);
  }
  const leave = await turns.enter(source.name, source.isKnown).catch(async (error) => {
    await auditFirst(services, by, claim.email, 'throttled', source.name);
    throw error;
  });
  try {
    return await attempt(services, by, claim, source);
  } finally {
    leave();
  }
}

async function attempt(
  services: ProofServices,
  by: Identity,
  claim: Claim,
  source: Source,
): Promise<Verdict> {
  const { db, digest, metrics } = services;
  const key = { emailDigest: digestEmail(digest, claim.email), sourceDigest: source.digest };
  const most = await mostFailures(db, key, source);
  const failures = await countAttempt(db, key, most, LOCK_MS);
  if (failures === undefined) {
    metrics.count(SIGN_INS, { outcome: 'locked_out' });
    noteFailure(services, by, source);
    await auditFirst(services, by, claim.email, 'locked', `${source.name} ${claim.email}`);
    throw await lockedOut(db, key);
  }
  const found = await findOperatorByEmail(db, claim.email);
  const unusable = found && whyUnusable(services, found);
  const verdict = await judge(services, by, unusable ? undefined : found, claim, source);
  if (verdict.operator) await settle(db, key, claim, verdict.operator);
  else if (verdict.wrong === 'no code') await uncountAttempt(db, key);
  else {
    metrics.count(SIGN_INS, { outcome: 'refused' });
    noteFailure(services, by, source);
    const action = failures >= most ? 'operator.locked_out' : 'operator.sign_in_refused';
    const reason = unusable ?? (`wrong ${verdict.wrong}` as const);
    if (found) await db.transaction((tx) => auditRefusal(tx, by, action, found, reason));
    else await auditFirst(services, by, claim.email, reason, source.name);
  }
  return verdict;
}

/** If only the password was checked, wrong codes before it still count. */
const settle = (db: Database, key: AttemptKey, claim: Claim, operator: OperatorRow): Promise<void> =>
  claim.passwordOnly && operator.secondFactorId !== null ? uncountAttempt(db, key) : forgetAttempts(db, key);

async function judge(
  services: ProofServices,
  by: Identity,
  operator: OperatorRow | undefined,
  { password, code, passwordOnly }: Claim,
  { isKnown }: Source,
): Promise<Verdict> {
  const codesDigest = digestSource(services.digest, 'codes', '');
  // Takes the same time whether or not the operator exists.
  const isPassword = await services.passwords.matches(operator, password);
  if (!operator || !isPassword) return { wrong: 'password' };
  if (operator.secondFactorId === null || passwordOnly) return { operator, factor: null };
  if (code === undefined) return { wrong: 'no code' };
  const codes = { emailDigest: digestEmail(services.digest, operator.email), sourceDigest: codesDigest };
  // Counted for the account over all addresses: an attacker who knows the password may have many addresses.
  if (!isKnown && (await countAttempt(services.db, codes, MOST_CODES, LOCK_MS)) === undefined)
    throw await lockedOut(services.db, codes);
  const factor = await spendCode(services, by, operator, code);
  if (!factor) return { wrong: 'code' };
  await forgetAttempts(services.db, codes);
  return { operator, factor };
}

/** While an account has failures from many sources, one failure locks an unknown source. */
async function mostFailures(db: Database, { emailDigest }: AttemptKey, { isKnown }: Source): Promise<number> {
  if (isKnown) return MOST_FAILURES;
  const sources = await countSources(db, emailDigest, LOCK_MS, MANY_SOURCES);
  return sources >= MANY_SOURCES ? 1 : MOST_FAILURES;
}

function whyUnusable({ digest, onError }: ProofServices, operator: OperatorRow): RefusalReason | undefined {
  if (operator.disabledAt !== null) return 'disabled';
  return isUnaltered(digest, operator, onError) ? undefined : 'altered';
}

function noteFailure({ wrongPasswords, turns }: ProofServices, { address }: Identity, source: Source): void {
  if (!source.isKnown) wrongPasswords.count(clientAddress(address));
  turns.noteFailure(source.name);
}

/** Writes one entry per reason and `key` in a window: refusals without cost for an attacker must not fill the audit. */
async function auditFirst(
  { db, audited }: ProofServices,
  by: Identity,
  email: string,
  reason: RefusalReason,
  key: string,
): Promise<void> {
  if (audited.add(`${reason} ${key}`, performance.now()) > 1) return;
  const operator = await findOperatorByEmail(db, email);
  await db.transaction((tx) => auditRefusal(tx, by, 'operator.sign_in_refused', operator, reason));
}

async function lockedOut(db: Database, key: AttemptKey): Promise<EmbossError> {
  const seconds = (await findLock(db, key, LOCK_MS)) ?? 1;
  const minutes = Math.ceil(seconds / 60);
  const when = minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
  return new EmbossError(
    429,
    `Too many wrong passwords or codes; try again ${when}, or ask an administrator to unlock the account`,
    { retryAfterSeconds: seconds },
  );
}
