import type { Database } from '../db/database.ts';
import { recordAudit } from '../events/journal.ts';
import { programNow } from '../programs/program.ts';
import { readProgram } from '../programs/queries.ts';

/** Who holds a link is not known: what is, is that it was used. */
export async function recordDownload(
  db: Database,
  programId: string,
  reportId: string,
  requestId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const seen = await readProgram(tx, programId);
    if (!seen) return;
    await recordAudit(tx, {
      programId,
      actor: 'link',
      action: 'report.downloaded',
      cardId: null,
      before: null,
      after: { reportId },
      requestId,
      nowMs: programNow(seen.program, seen.realNowMs),
    });
  });
}
