import type { Database, Queryable, Tx } from '../db/database.ts';
import { addKey, type MasterKey, openKeyring, unwrapBytes, wrap } from './keyring.ts';
import {
  findKeys,
  findKeysReplacedFor,
  lockKeys,
  retireLiveKeys,
  updateKeyResealed,
  updateKeyWrapping,
} from './queries.ts';
import { type ResealOptions, resealRecords } from './reseal-records.ts';

export const SEALING_PURPOSES = ['card-number', 'personal-data'] as const;
export type SealingPurpose = (typeof SEALING_PURPOSES)[number];

export interface RotationResult {
  purpose: SealingPurpose;
  newKeyId: number;
  resealed: number;
  retiredKeyIds: number[];
  /** Older keys that stay for now: a process or a kept answer may still use them. */
  waitingKeyIds: number[];
}

/** Longer than answers are kept for idempotency (24 h), which are sealed under these keys as well. */
const RETIRE_AFTER_MS = 25 * 3_600_000;

/**
 * Gives a purpose a new key and reseals its records under it, page by page, while everything runs. Run again
 * after an interruption, or a second time at once, it goes on with the same key.
 */
export async function rotateKeys(
  db: Database,
  masters: readonly MasterKey[],
  purpose: SealingPurpose,
  options: ResealOptions = {},
): Promise<RotationResult> {
  await db.transaction((tx) => beginRotation(tx, masters, purpose));
  const walked = await resealAll(db, masters, purpose, options);
  return { purpose, ...walked, retiredKeyIds: [], waitingKeyIds: await olderKeyIds(db, purpose) };
}

/**
 * Destroys the keys that were replaced so long ago that nobody seals with them any more. A process that had not
 * yet seen the new key may have sealed with the old one after the rotation came by, so all records are walked over
 * once more: after that nothing is under those keys, and nothing can come under them again.
 */
export async function retireKeys(
  db: Database,
  masters: readonly MasterKey[],
  purpose: SealingPurpose,
  { retireAfterMs = RETIRE_AFTER_MS, ...options }: ResealOptions & { retireAfterMs?: number } = {},
): Promise<RotationResult> {
  // Asked before the walk begins: a key that comes of age during it may have been used behind it.
  const ids = (await findKeysReplacedFor(db, purpose, retireAfterMs)).map(({ id }) => id);
  const walked =
    ids.length > 0
      ? await resealAll(db, masters, purpose, options)
      : { newKeyId: (await openKeyring(db, masters)).current(purpose).id, resealed: 0 };
  const retiredKeyIds = (await retireLiveKeys(db, ids)).map(({ id }) => id);
  return { purpose, ...walked, retiredKeyIds, waitingKeyIds: await olderKeyIds(db, purpose) };
}

/** Adds a key unless the newest one is still being rotated to. */
async function beginRotation(tx: Tx, masters: readonly MasterKey[], purpose: SealingPurpose): Promise<void> {
  await lockKeys(tx);
  const keys = (await findKeys(tx)).filter((key) => key.purpose === purpose);
  const unfinished = keys.length > 1 && keys.at(-1)?.resealed_at === null;
  if (!unfinished) await addKey(tx, masters, purpose);
}

async function resealAll(
  db: Database,
  masters: readonly MasterKey[],
  purpose: SealingPurpose,
  options: ResealOptions,
): Promise<{ newKeyId: number; resealed: number }> {
  const keyring = await openKeyring(db, masters);
  const newest = keyring.current(purpose);
  const { resealed } = await resealRecords(db, keyring, purpose, newest, options);
  await updateKeyResealed(db, newest.id);
  return { newKeyId: newest.id, resealed };
}

const olderKeyIds = async (db: Queryable, purpose: SealingPurpose): Promise<number[]> =>
  (await findKeys(db))
    .filter((key) => key.purpose === purpose)
    .map((key) => key.id)
    .slice(0, -1);

/** Wraps every live data key under the current master key; run it while the previous one is still set. */
export async function rewrapKeys(db: Database, masters: readonly MasterKey[]): Promise<number> {
  return db.transaction(async (tx) => {
    await lockKeys(tx);
    const keys = (await findKeys(tx)).filter((key) => key.master_key_id !== masters[0]?.id);
    for (const key of keys) {
      const { masterKeyId, wrapped } = wrap(masters, key.id, key.purpose, unwrapBytes(masters, key));
      await updateKeyWrapping(tx, key.id, masterKeyId, wrapped);
    }
    return keys.length;
  });
}
