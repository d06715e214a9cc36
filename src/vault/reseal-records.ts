import type { Database } from '../db/database.ts';
import { LOWEST_ID } from '../kernel/ids.ts';
import type { Keyring } from './keyring.ts';
import { listRecordsAfter, type RecordPlace, type RecordRow, updateSeal } from './queries.ts';
import { type DataKey, isSealedUnder, type Purpose, seal, sealedKeyId } from './seal.ts';
import { bindingOf, open } from './vault.ts';

export interface ResealProgress {
  /** Records looked at, of every kind. */
  read: number;
  resealed: number;
}

export interface ResealOptions {
  /** Records per statement: many enough to get on, few enough for the time limit of a statement. */
  pageSize?: number;
  onProgress?: (progress: ResealProgress) => void | Promise<void>;
}

const PAGE_SIZE = 2_000;
const START: RecordPlace = { program_id: LOWEST_ID, owner_id: LOWEST_ID, kind: '', id: LOWEST_ID };

/**
 * Walks over all records once and brings those of a purpose under its newest key. When it is through, no record
 * that was there at its beginning is under an older key.
 */
export async function resealRecords(
  db: Database,
  keyring: Keyring,
  purpose: Purpose,
  newest: DataKey,
  { pageSize = PAGE_SIZE, onProgress = () => {} }: ResealOptions,
): Promise<ResealProgress> {
  const progress = { read: 0, resealed: 0 };
  let place = START;
  for (;;) {
    const page = await listRecordsAfter(db, place, pageSize);
    const last = page.at(-1);
    if (!last) return progress;
    const others = page.filter((row) => purposeOf(row) === purpose && !isSealedUnder(newest, row.sealed));
    let overtaken = false;
    // A transaction touches one program.
    for (const rows of byProgram(others)) {
      const { resealed, missed } = await resealRows(db, keyring, newest, rows);
      progress.resealed += resealed;
      overtaken ||= missed > 0;
    }
    // Another rotation was quicker; whether to a key as new as ours, only reading the page again can tell.
    if (overtaken) continue;
    place = last;
    progress.read += page.length;
    await onProgress({ ...progress });
  }
}

async function resealRows(
  db: Database,
  keyring: Keyring,
  newest: DataKey,
  rows: readonly RecordRow[],
): Promise<{ resealed: number; missed: number }> {
  const seals: Array<{ row: RecordRow; sealed: Buffer }> = [];
  for (const row of rows) {
    const plain = await open(keyring, db, bindingOf(row), row.sealed);
    // A rotation that was started after this one may have used a newer key. There is no way back from it.
    if (sealedKeyId(row.sealed) < newest.id) seals.push({ row, sealed: seal(newest, bindingOf(row), plain) });
    plain.fill(0);
  }
  if (seals.length === 0) return { resealed: 0, missed: 0 };
  const written = await db.transaction((tx) =>
    Promise.all(seals.map(({ row, sealed }) => updateSeal(tx, row, sealed))),
  );
  const resealed = written.filter(Boolean).length;
  return { resealed, missed: written.length - resealed };
}

function byProgram(rows: readonly RecordRow[]): Iterable<RecordRow[]> {
  const programs = new Map<string, RecordRow[]>();
  for (const row of rows) {
    const same = programs.get(row.program_id);
    if (same) same.push(row);
    else programs.set(row.program_id, [row]);
  }
  return programs.values();
}

const purposeOf = (row: RecordRow): Purpose => (row.kind === 'number' ? 'card-number' : 'personal-data');
