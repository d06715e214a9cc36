import type { Database } from '../db/database.ts';
import type { FileStorage, NamedFile } from '../files/storage.ts';
import { type ReportRecord, reopenReport } from './queries.ts';
import { fileNameOf } from './report.ts';

/** A report with a stored file. */
export interface ReadyReport extends NamedFile {
  programId: string;
  id: string;
}

/** The file that a report should have, according to the database. */
export function fileOf({
  status,
  programId,
  id,
  storageKey,
  ...subject
}: ReportRecord): ReadyReport | undefined {
  if (status !== 'ready' || storageKey === null) return undefined;
  return { programId, id, storageKey, fileName: fileNameOf(subject) };
}

/**
 * Returns the report's file after checking its size in the storage. The storage may lack the file or have part of it,
 * for example after only the database was restored, or after a change of storage. Such a report is generated again,
 * like one whose file has expired.
 */
export async function findFile(
  { db, storage }: { db: Database; storage: FileStorage },
  report: ReportRecord,
): Promise<ReadyReport | undefined> {
  const file = fileOf(report);
  if (!file) return undefined;
  const bytes = await storage.size(file.storageKey);
  if (bytes === Number(report.bytes)) return file;
  await reopenReport(db, report);
  return undefined;
}
