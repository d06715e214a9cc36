import type { Database } from '../db/database.ts';
import { recordEvent } from '../events/journal.ts';
import { programNow } from '../programs/program.ts';
import { readProgram } from '../programs/queries.ts';
import { presentFile } from './clearing-file.ts';
import { type At, endFile } from './queries.ts';
import type { Rejection } from './rejection.ts';

/** Ends a file, with its event. Nothing happens if another worker has changed it. */
export async function endClearingFile(
  db: Database,
  at: At,
  status: 'COMPLETED' | 'REJECTED',
  rejected: Rejection | null = null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { program, realNowMs } = await readProgram(tx, at.programId);
    const nowMs = programNow(program, realNowMs);
    const file = await endFile(tx, at, status, new Date(nowMs), rejected);
    if (!file) return;
    recordEvent(tx, {
      programId: at.programId,
      nowMs,
      eventType: 'settlement',
      eventName: status === 'COMPLETED' ? 'clearing_file.completed' : 'clearing_file.rejected',
      data: presentFile(file, program.currency),
    });
  });
}
