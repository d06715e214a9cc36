import { audit } from '../audit/audit.ts';
import type { Identity } from '../audit/entry.ts';
import { readTime } from '../db/clock.ts';
import type { Tx } from '../db/database.ts';
import { makeDue } from '../jobs/queries.ts';
import { refuseCardNumber, SANDBOX_PREFIX } from '../kernel/card-numbers.ts';
import { isCurrency } from '../kernel/currencies.ts';
import { invalid } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { isReadableText } from '../kernel/text.ts';
import { openOwnAccounts } from '../ledger/post-transfers.ts';
import { type KycProviderName, NO_FEES, type Program, type ProgramMode } from './program.ts';
import { insertProgram, isNameTaken } from './queries.ts';

export interface NewProgram {
  name: string;
  mode: ProgramMode;
  currency: string;
  bin: string;
  kycProvider: KycProviderName;
  /** The initial lead of a sandbox program's clock over real time. Default: 0. */
  clockOffsetMs?: number;
  /** In program time; reports can be requested from this day on. Default: now. */
  createdAt?: Date;
}

/** Throws a 400 that names the wrong field. */
export function checkNewProgram(input: NewProgram): void {
  checkProgramName(input.name);
  checkBin(input.mode, input.bin);
  if (!isCurrency(input.currency)) throw invalid('currency', 'must be an ISO 4217 code such as EUR');
  checkKycProvider(input);
}

export async function createProgram(tx: Tx, by: Identity, input: NewProgram): Promise<Program> {
  checkNewProgram(input);
  const { clockOffsetMs = 0 } = input;
  const nowMs = (await readTime(tx)) + clockOffsetMs;
  const id = newId(nowMs);
  const program: Program = {
    ...NO_FEES,
    enforceMasterBalance: false,
    authorizationMode: 'STANDARD',
    holdDays: 7,
    longHoldDays: 30,
    alertBelowMinor: null,
    alertSent: false,
    challengeAboveMinor: null,
    requireAuthenticationAboveMinor: null,
    authenticationDays: 90,
    overHoldPercent: 20,
    rulesVersion: 0n,
    rulesGuardPercent: 5,
    allowedExemptions: [],
    supportLimitFactor: 2,
    supportLimitDays: 7,
    secondPersonAboveMinor: null,
    createdAt: new Date(nowMs),
    ...input,
    clockOffsetMs,
    id,
    clockMovedAt: null,
  };
  await requireFreeName(tx, program);
  await insertProgram(tx, program);
  openOwnAccounts(tx, id);
  await makeDue(tx, id);
  await audit(tx, { ...by, program, now: () => nowMs }, 'program.created', { after: { ...input } });
  return program;
}

export function checkProgramName(name: string): void {
  if (name.trim() === '' || name.length > 100 || !isReadableText(name))
    throw invalid('name', 'must be 1 to 100 printable characters');
  refuseCardNumber('name', name);
}

/** A unique index settles a race: the loser fails. */
export async function requireFreeName(tx: Tx, { id, name }: Pick<Program, 'id' | 'name'>): Promise<void> {
  if (await isNameTaken(tx, name, id)) throw invalid('name', 'is already the name of another program');
}

export function checkKycProvider({ mode, kycProvider }: Pick<Program, 'mode' | 'kycProvider'>): void {
  if (mode === 'live' && kycProvider === 'sandbox')
    throw invalid('kycProvider', 'must not be sandbox in a live program');
}

/** Sandbox numbers are never real ones, and the vault encrypts sandbox and live numbers with different keys. */
export function checkBin(mode: ProgramMode, bin: string): void {
  if (!/^\d{6,8}$/.test(bin)) throw invalid('bin', 'must be 6 to 8 digits');
  if (bin.startsWith(SANDBOX_PREFIX) !== (mode === 'sandbox'))
    throw invalid(
      'bin',
      `must ${mode === 'sandbox' ? '' : 'not '}begin with ${SANDBOX_PREFIX} in a ${mode} program`,
    );
}
