import type { Database } from '../db/database.ts';
import { type ReportRecord, reopenReport } from './queries.ts';
import { fileNameOf } from './report.ts';
import type { ReportStorage } from './storage/storage.ts';

/** A report whose file is there. */
export interface ReadyReport {
  programId: string;
  reportId: string;
  storageKey: string;
  fileName: string;
}

/** The file that a report should have. */
export function fileOf({
  status,
  programId,
  id,
  storageKey,
  ...subject
}: ReportRecord): ReadyReport | undefined {
  if (status !== 'ready' || storageKey === null) return undefined;
  return { programId, reportId: id, storageKey, fileName: fileNameOf(subject) };
}

/**
 * The file that a report has: nobody is sent to one that its storage has lost or cut short, as happens when only the
 * database was restored or the storage is another one now. Such a one is to be made again, like one that has expired.
 */
export async function findFile(
  { db, storage }: { db: Database; storage: ReportStorage },
  report: ReportRecord,
): Promise<ReadyReport | undefined> {
  const file = fileOf(report);
  if (!file) return undefined;
  const bytes = await storage.size(file.storageKey);
  if (bytes === Number(report.bytes)) return file;
  await reopenReport(db, report);
  return undefined;
}
