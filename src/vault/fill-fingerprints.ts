import type { Database } from '../db/database.ts';
import { digestRange } from '../kernel/digest.ts';
import { secret } from '../kernel/secret.ts';
import { fingerprintRow } from './card-number.ts';
import type { Keyring } from './keyring.ts';
import { deleteFingerprintsOfKey, insertFingerprints, type RecordRow } from './queries.ts';
import { bindingOf, open } from './vault.ts';
import { type RenewOptions, type RenewProgress, walkRecords } from './walk-records.ts';

const DELETED_AT_ONCE = 5_000;

/**
 * Gives every number that exists at the start a fingerprint under every live key, because any of them may become the
 * oldest, which look-ups use.
 */
export const fillFingerprints = (
  db: Database,
  keyring: Keyring,
  options: RenewOptions,
): Promise<RenewProgress> =>
  walkRecords(
    db,
    (row) => row.kind === 'number',
    async (rows) => {
      const found = (await Promise.all(rows.map((row) => fingerprintRows(db, keyring, row)))).flat();
      const programId = (rows[0] as RecordRow).programId;
      const added = await db.transaction((tx) => insertFingerprints(tx, programId, found));
      return { renewed: added.length, missed: 0 };
    },
    options,
  );

async function fingerprintRows(db: Database, keyring: Keyring, row: RecordRow) {
  const number = secret((await open(keyring, db, bindingOf(row), row.sealed)).toString());
  const ref = { programId: row.programId, cardId: row.ownerId, numberId: row.id };
  return keyring.live('fingerprint').map((key) => fingerprintRow(key, number, ref));
}

/** Removes the fingerprints of a destroyed key. */
export async function removeFingerprints(db: Database, keyId: number): Promise<void> {
  while ((await deleteFingerprintsOfKey(db, digestRange(keyId), DELETED_AT_ONCE)) === DELETED_AT_ONCE);
}
