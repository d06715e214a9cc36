import { type Actor, type AuditRecord, localActor } from '../audit/entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../db/database.ts';
import { programNow } from '../programs/program.ts';
import { readProgram } from '../programs/queries.ts';
import type { Subject } from './report.ts';

/** Who holds a link is not known: what is, is that it was used. */
export const recordDownload = (
  db: Database,
  programId: string,
  reportId: string,
  origin: Pick<Actor, 'address' | 'requestId'>,
): Promise<void> =>
  record(db, programId, { actor: 'link', action: 'report.downloaded', after: { reportId }, ...origin });

/** On the command line it is made anew, whether it is kept as a report or not. */
export const recordExport = (
  db: Database,
  programId: string,
  { fileType, firstDay, lastDay }: Subject,
  actor: string,
): Promise<void> =>
  record(db, programId, {
    ...localActor(actor),
    action: 'report.exported',
    after: { fileType, firstDay, lastDay },
  });

async function record(
  db: Database,
  programId: string,
  entry: Actor & Pick<AuditRecord, 'action' | 'after'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const seen = await readProgram(tx, programId);
    if (!seen) return;
    const nowMs = programNow(seen.program, seen.realNowMs);
    await recordAudit(tx, { ...entry, programId, cardId: null, before: null, nowMs });
  });
}
