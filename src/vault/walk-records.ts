import type { Database } from '../db/database.ts';
import { LOWEST_ID } from '../kernel/ids.ts';
import { listRecordsAfter, type RecordPrimaryKey, type RecordRow } from './queries.ts';

export interface RenewProgress {
  /** Records read, of every kind. */
  read: number;
  /** Records moved to the newest key. */
  renewed: number;
}

export interface RenewOptions {
  /** Records per statement: few enough for the statement timeout. */
  pageSize?: number;
  onProgress?: (progress: RenewProgress) => void | Promise<void>;
}

const PAGE_SIZE = 2_000;
const START: RecordPrimaryKey = { programId: LOWEST_ID, ownerId: LOWEST_ID, kind: '', id: LOWEST_ID };

/**
 * Reads all records that exist at the start once, in pages. `renew` receives records of one program, because a transaction
 * touches one program. A page with missed records is read again.
 */
export async function walkRecords(
  db: Database,
  isWanted: (row: RecordRow) => boolean,
  renew: (rows: RecordRow[]) => Promise<{ renewed: number; missed: number }>,
  { pageSize = PAGE_SIZE, onProgress = () => {} }: RenewOptions,
): Promise<RenewProgress> {
  const progress = { read: 0, renewed: 0 };
  let cursor = START;
  for (;;) {
    const page = await listRecordsAfter(db, cursor, pageSize);
    const last = page.at(-1);
    if (!last) return progress;
    let overtaken = false;
    for (const rows of byProgram(page.filter(isWanted))) {
      const { renewed, missed } = await renew(rows);
      progress.renewed += renewed;
      overtaken ||= missed > 0;
    }
    if (overtaken) continue;
    cursor = last;
    progress.read += page.length;
    await onProgress({ ...progress });
  }
}

function byProgram(rows: readonly RecordRow[]): Iterable<RecordRow[]> {
  const programs = new Map<string, RecordRow[]>();
  for (const row of rows) {
    const same = programs.get(row.programId);
    if (same) same.push(row);
    else programs.set(row.programId, [row]);
  }
  return programs.values();
}
