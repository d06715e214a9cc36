import type { Database } from '../db/database.ts';
import type { FileStorage } from '../files/storage.ts';
import { expireReport, forgetFile, listStaleFiles } from './queries.ts';

const AT_ONCE = 100;

/**
 * Removes files past their retention. The report is marked expired before its file is removed. A failure does not block
 * the other files; it is retried after an hour.
 */
export async function sweepFiles({ db, storage }: { db: Database; storage: FileStorage }): Promise<void> {
  const failures: unknown[] = [];
  for (const report of await listStaleFiles(db, AT_ONCE)) {
    if (!(await expireReport(db, report))) continue;
    try {
      if (report.storageKey) await storage.remove(report.storageKey);
      await forgetFile(db, report);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
