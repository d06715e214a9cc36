import type { Database } from '../db/database.ts';
import type { Keyring } from './keyring.ts';
import { type RecordRow, updateSeal } from './queries.ts';
import { type DataKey, isSealedUnder, type Purpose, seal, sealedKeyId } from './seal.ts';
import { bindingOf, open } from './vault.ts';
import { type RenewOptions, type RenewProgress, walkRecords } from './walk-records.ts';

/**
 * Reseals the records of a purpose with its newest key. At the end no record that existed at the start is under an older
 * key.
 */
export const resealRecords = (
  db: Database,
  keyring: Keyring,
  purpose: Purpose,
  newest: DataKey,
  options: RenewOptions,
): Promise<RenewProgress> =>
  walkRecords(
    db,
    (row) => purposeOf(row) === purpose && !isSealedUnder(newest, row.sealed),
    (rows) => resealRows(db, keyring, newest, rows),
    options,
  );

/** `missed`: records that another rotation changed first. The page is read again to see which key it used. */
async function resealRows(
  db: Database,
  keyring: Keyring,
  newest: DataKey,
  rows: readonly RecordRow[],
): Promise<{ renewed: number; missed: number }> {
  const seals: Array<{ row: RecordRow; sealed: Buffer }> = [];
  for (const row of rows) {
    const plain = await open(keyring, db, bindingOf(row), row.sealed);
    // A later rotation may have used a newer key, which must not be replaced by this one.
    if (sealedKeyId(row.sealed) < newest.id) seals.push({ row, sealed: seal(newest, bindingOf(row), plain) });
    plain.fill(0);
  }
  if (seals.length === 0) return { renewed: 0, missed: 0 };
  const written = await db.transaction((tx) =>
    Promise.all(seals.map(({ row, sealed }) => updateSeal(tx, row, sealed))),
  );
  const renewed = written.filter(Boolean).length;
  return { renewed, missed: written.length - renewed };
}

const purposeOf = (row: RecordRow): Purpose => (row.kind === 'number' ? 'card-number' : 'personal-data');
