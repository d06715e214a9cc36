import { localActor } from '../audit/entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../db/database.ts';
import { invalid, notFound } from '../kernel/error.ts';
import { MAX_AMOUNT_MINOR } from '../kernel/money.ts';
import { checkBin, checkProgramName } from './create-program.ts';
import { type FeeSchedule, type KycProviderName, type Program, programNow } from './program.ts';
import { lockProgram, updateProgram as updateProgramRow } from './queries.ts';

/** Mode and currency are for life: cards and money already made would change their meaning. */
export interface ProgramChange extends Partial<FeeSchedule> {
  name?: string;
  bin?: string;
  kycProvider?: KycProviderName;
  enforceMasterBalance?: boolean;
  holdDays?: number;
}

export async function updateProgram(
  db: Database,
  id: string,
  change: ProgramChange,
  actor: string,
): Promise<Program> {
  checkChange(change);
  return db.transaction(async (tx) => {
    const before = await lockProgram(tx, id);
    if (!before) throw notFound();
    if (change.bin !== undefined) checkBin(before.mode, change.bin);
    const after = { ...before, ...change };
    await updateProgramRow(tx, after);
    await recordAudit(tx, {
      programId: id,
      ...localActor(actor),
      action: 'program.updated',
      cardId: null,
      before: only(before, change),
      after: only(after, change),
      nowMs: programNow(before, Date.now()),
    });
    return after;
  });
}

function checkChange({ name, holdDays, ...terms }: ProgramChange): void {
  if (name !== undefined) checkProgramName(name);
  if (holdDays !== undefined && !(Number.isInteger(holdDays) && holdDays >= 1 && holdDays <= 365))
    throw invalid('holdDays', 'must be a whole number from 1 to 365');
  for (const [field, value] of Object.entries(terms)) {
    if (typeof value === 'number' && !(Number.isInteger(value) && value >= 0 && value <= 10_000))
      throw invalid(field, 'must be 0 to 10000 basis points');
    if (typeof value === 'bigint' && !(value >= 0n && value <= MAX_AMOUNT_MINOR))
      throw invalid(field, 'must be 0 or more and within the largest supported amount');
  }
}

/** The changed fields alone; amounts as text, which JSON can hold. */
const only = (program: Program, change: ProgramChange): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(change).map((field) => {
      const value = program[field as keyof ProgramChange];
      return [field, typeof value === 'bigint' ? value.toString() : value];
    }),
  );
