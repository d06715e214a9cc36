import type { Database } from '../db/database.ts';
import { recordAudit } from '../events/journal.ts';
import { notFound } from '../kernel/error.ts';
import { checkBin, checkProgramName } from './create-program.ts';
import type { KycProviderName, Program } from './program.ts';
import { programNow } from './program.ts';
import { lockProgram, updateProgram as updateProgramRow } from './queries.ts';

/** Mode and currency are for life: cards and money already made would change their meaning. */
export interface ProgramChange {
  name?: string;
  bin?: string;
  kycProvider?: KycProviderName;
}

export async function updateProgram(
  db: Database,
  id: string,
  change: ProgramChange,
  actor: string,
): Promise<Program> {
  if (change.name !== undefined) checkProgramName(change.name);
  if (change.bin !== undefined) checkBin(change.bin);
  return db.transaction(async (tx) => {
    const before = await lockProgram(tx, id);
    if (!before) throw notFound();
    const after = { ...before, ...change };
    await updateProgramRow(tx, after);
    await recordAudit(tx, {
      programId: id,
      actor,
      action: 'program.updated',
      cardId: null,
      before: { name: before.name, bin: before.bin, kycProvider: before.kycProvider },
      after: { name: after.name, bin: after.bin, kycProvider: after.kycProvider },
      requestId: null,
      nowMs: programNow(before, Date.now()),
    });
    return after;
  });
}
