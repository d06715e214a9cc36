import type { Database } from '../db/database.ts';
import type { FileStorage } from '../files/storage.ts';
import { eraseKey, type FileKeeper } from './file-keys.ts';
import { deleteUpload, forgetRaw, listAbandonedUploads, listErasable } from './queries.ts';

/** Longer than any upload may take. */
const ABANDONED_MS = 2 * 3_600_000;
const AT_ONCE = 100;

/** Removes uploads that ended with their server, and erases raw files past their time: the file, and the key that opens it. */
export async function sweepRawFiles({
  db,
  keeper,
  storage,
}: {
  db: Database;
  keeper: FileKeeper;
  storage: FileStorage;
}): Promise<void> {
  for (const upload of await listAbandonedUploads(db, ABANDONED_MS, AT_ONCE)) {
    await storage.remove(upload.storageKey);
    await deleteUpload(db, upload);
  }
  for (const file of await listErasable(db, AT_ONCE)) {
    await storage.remove(file.storageKey);
    await db.transaction(async (tx) => {
      await eraseKey(keeper, tx, file);
      forgetRaw(tx, file);
    });
  }
}
