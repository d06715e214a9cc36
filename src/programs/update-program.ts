import { audit } from '../audit/audit.ts';
import { type Database, SETTLED_AFTER_MS, type Tx } from '../db/database.ts';
import { makeDue } from '../jobs/queries.ts';
import { MS_PER_DAY } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import { lowestIdAt } from '../kernel/ids.ts';
import { MAX_AMOUNT_MINOR } from '../kernel/money.ts';
import { type Actor, lockFor } from './actor.ts';
import { checkBin, checkKycProvider, checkProgramName, requireFreeName } from './create-program.ts';
import { rewindCursor } from './cursor-queries.ts';
import {
  ALLOWABLE_EXEMPTIONS,
  type AuthorizationMode,
  type Exemption,
  type FeeSchedule,
  type KycProviderName,
  type Program,
  type SecondPerson,
  type SupportLimits,
  TERM_RANGES,
  type Thresholds,
} from './program.ts';
import { lockProgram, updateProgram as updateProgramRow } from './queries.ts';

/** Mode and currency never change, because the cards and balances of a program depend on them. */
export interface ProgramChange extends Partial<FeeSchedule & Thresholds & SupportLimits & SecondPerson> {
  name?: string;
  bin?: string;
  kycProvider?: KycProviderName;
  enforceMasterBalance?: boolean;
  authorizationMode?: AuthorizationMode;
  holdDays?: number;
  longHoldDays?: number;
  authenticationDays?: number;
  overHoldPercent?: number;
  rulesGuardPercent?: number;
  allowedExemptions?: Exemption[];
}

export const updateProgram = (db: Database, actor: Actor, change: ProgramChange): Promise<Program> =>
  db.transaction((tx) => changeProgram(tx, actor, change));

/** The same in a transaction of the caller. */
export async function changeProgram(tx: Tx, actor: Actor, change: ProgramChange): Promise<Program> {
  checkChange(change);
  const [before, current] = await lockFor(tx, actor, lockProgram(tx, actor.program.id));
  if (change.bin !== undefined) checkBin(before.mode, change.bin);
  const after = { ...before, ...change };
  if (change.name !== undefined) await requireFreeName(tx, after);
  if (change.kycProvider !== undefined) checkKycProvider(after);
  await updateProgramRow(tx, after);
  if (after.holdDays !== before.holdDays || after.longHoldDays !== before.longHoldDays)
    await makeDue(tx, before.id, ['hold-expiry']);
  if (after.holdDays > before.holdDays) await rewindExpiry(tx, current, 'hold-expiry', after.holdDays);
  if (after.longHoldDays > before.longHoldDays)
    await rewindExpiry(tx, current, 'long-hold-expiry', after.longHoldDays);
  await audit(tx, current, 'program.updated', { before: only(before, change), after: only(after, change) });
  return after;
}

/** A late authorization can now hold money on a purchase that the expiry of holds has passed already. */
const rewindExpiry = (tx: Tx, actor: Actor, cursor: Parameters<typeof rewindCursor>[2], days: number) =>
  rewindCursor(tx, actor.program.id, cursor, lowestIdAt(actor.now() - days * MS_PER_DAY - SETTLED_AFTER_MS));

function checkChange({ name, allowedExemptions, ...terms }: ProgramChange): void {
  if (name !== undefined) checkProgramName(name);
  for (const [term, [least, most]] of Object.entries(TERM_RANGES)) {
    const value = terms[term as keyof typeof TERM_RANGES];
    if (value !== undefined && !(Number.isInteger(value) && value >= least && value <= most))
      throw invalid(term, `must be a whole number from ${least} to ${most}`);
  }
  for (const [field, value] of Object.entries(terms))
    if (typeof value === 'bigint' && !(value >= 0n && value <= MAX_AMOUNT_MINOR))
      throw invalid(field, 'must be 0 or more and within the largest supported amount');
  if (allowedExemptions?.some((exemption) => !ALLOWABLE_EXEMPTIONS.includes(exemption)))
    throw invalid('allowedExemptions', `must be a list of ${ALLOWABLE_EXEMPTIONS.join(', ')}`);
}

/** The changed fields only. Amounts are text, because JSON cannot represent a bigint. */
const only = (program: Program, change: ProgramChange): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(change).map((field) => {
      const value = program[field as keyof ProgramChange];
      return [field, typeof value === 'bigint' ? value.toString() : value];
    }),
  );
