import type { Database } from '../db/database.ts';
import { recordEvent } from '../events/journal.ts';
import type { FileStorage } from '../files/storage.ts';
import { type Day, dayOf } from '../kernel/calendar.ts';
import { newId } from '../kernel/ids.ts';
import type { Actor } from '../programs/actor.ts';
import { findFile } from './find-file.ts';
import { openWithinBound } from './open-within-bound.ts';
import { claimReport, findReportOfSubject, insertRequest } from './queries.ts';
import { eventNameOf, type FileType, subjectOf } from './report.ts';

/**
 * Records a request for a report. A worker generates the report once for all its requests. If the file already exists,
 * the event is recorded immediately.
 */
export async function requestReport(
  { db, storage, keepFilesMs }: { db: Database; storage: FileStorage; keepFilesMs: number },
  actor: Actor,
  fileType: FileType,
  date: Day,
): Promise<{ message: string; reference_id: string }> {
  const nowMs = actor.now();
  const { id: programId, createdAt: programCreatedAt } = actor.program;
  const subject = subjectOf(fileType, date, dayOf(nowMs), dayOf(programCreatedAt.getTime()));
  const referenceId = newId(nowMs);
  const known = await findReportOfSubject(db, programId, subject);
  // A report whose file is lost becomes pending before it is claimed.
  if (known) await findFile({ db, storage }, known);
  const ready = await db.transaction(async (tx) => {
    const createdAt = new Date(nowMs);
    const report = await openWithinBound(tx, programId, () =>
      claimReport(tx, programId, newId(nowMs), subject, createdAt, keepFilesMs),
    );
    const isReady = report.status === 'ready';
    insertRequest(tx, programId, referenceId, report.id, isReady, createdAt);
    if (isReady)
      recordEvent(tx, {
        programId,
        eventType: 'files',
        eventName: eventNameOf(fileType),
        data: { reference_id: referenceId },
        nowMs,
      });
    return isReady;
  });
  const message = ready
    ? 'The report is ready; a webhook event delivers its link'
    : 'The report is being generated; a webhook event delivers its link';
  return { message, reference_id: referenceId };
}
