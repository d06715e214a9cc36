import type { Database } from '../db/database.ts';
import { addKey, type Keyring, type MasterKey, openKeyring, unwrapBytes, wrap } from './keyring.ts';
import {
  findKeys,
  isKeyInUse,
  listRecordsNotUnder,
  lockKeys,
  type RecordRow,
  retireKey,
  updateKeyWrapping,
  updateSeal,
} from './queries.ts';
import { encodeKeyId, seal } from './seal.ts';
import { bindingOf, open } from './vault.ts';

export const SEALING_PURPOSES = ['card-number', 'personal-data'] as const;
export type SealingPurpose = (typeof SEALING_PURPOSES)[number];

export interface RotationResult {
  purpose: SealingPurpose;
  newKeyId: number;
  resealed: number;
  retiredKeyIds: number[];
  /** Older keys that stay for now: too young to be sure that no process or kept answer still uses them. */
  waitingKeyIds: number[];
}

export interface RotationOptions {
  retireAfterMs?: number;
  onProgress?: (resealed: number) => void | Promise<void>;
}

const BATCH = 500;
/** Longer than answers are kept for idempotency (24 h), which are sealed under these keys as well. */
const RETIRE_AFTER_MS = 25 * 3_600_000;

/**
 * Gives a purpose a new key and reseals its records under it, batch by batch, while everything runs. An
 * interrupted rotation is taken up where it stopped: what is not yet under the newest key is what remains.
 */
export async function rotateKeys(
  db: Database,
  masters: readonly MasterKey[],
  purpose: SealingPurpose,
  options: RotationOptions = {},
): Promise<RotationResult> {
  if (!(await isRotationUnfinished(db, purpose)))
    await db.transaction(async (tx) => {
      await lockKeys(tx);
      await addKey(tx, masters, purpose);
    });
  return finishRotation(db, masters, purpose, options);
}

/**
 * Reseals what is not under the newest key and destroys older keys that nothing uses any more. Of use alone
 * some time after a rotation: a process that had not yet seen the new key may have sealed with the old one.
 */
export async function finishRotation(
  db: Database,
  masters: readonly MasterKey[],
  purpose: SealingPurpose,
  options: RotationOptions = {},
): Promise<RotationResult> {
  const keyring = await openKeyring(db, masters);
  const resealed = await resealAll(db, keyring, purpose, options.onProgress);
  const newKeyId = keyring.current(purpose).id;
  const retired = await retireOldKeys(db, purpose, options.retireAfterMs ?? RETIRE_AFTER_MS);
  return { purpose, newKeyId, resealed, ...retired };
}

async function isRotationUnfinished(db: Database, purpose: SealingPurpose): Promise<boolean> {
  const newest = (await findKeys(db)).filter((key) => key.purpose === purpose).at(-1);
  if (!newest) return false;
  return (
    (await listRecordsNotUnder(db, encodeKeyId(newest.id), purpose === 'card-number', undefined, 1)).length >
    0
  );
}

async function resealAll(
  db: Database,
  keyring: Keyring,
  purpose: SealingPurpose,
  onProgress: RotationOptions['onProgress'] = () => {},
): Promise<number> {
  const newest = keyring.current(purpose);
  const keyId = encodeKeyId(newest.id);
  let resealed = 0;
  let last: RecordRow | undefined;
  for (;;) {
    const rows = await listRecordsNotUnder(db, keyId, purpose === 'card-number', last, BATCH);
    if (rows.length === 0) return resealed;
    await db.transaction(async (tx) => {
      const updates = rows.map(async (row) => {
        const plain = await open(keyring, tx, bindingOf(row), row.sealed);
        await updateSeal(tx, row, seal(newest, bindingOf(row), plain));
      });
      await Promise.all(updates);
    });
    resealed += rows.length;
    last = rows.at(-1);
    await onProgress(resealed);
  }
}

/** Destroys older keys that nothing uses. */
async function retireOldKeys(
  db: Database,
  purpose: SealingPurpose,
  retireAfterMs: number,
): Promise<{ retiredKeyIds: number[]; waitingKeyIds: number[] }> {
  return db.transaction(async (tx) => {
    const result = { retiredKeyIds: [] as number[], waitingKeyIds: [] as number[] };
    await lockKeys(tx);
    const keys = (await findKeys(tx)).filter((key) => key.purpose === purpose);
    for (const [place, successor] of keys.slice(1).entries()) {
      const { id } = keys[place] as (typeof keys)[number];
      const young = Date.now() - successor.created_at.getTime() < retireAfterMs;
      const stays = young || (await isKeyInUse(tx, encodeKeyId(id)));
      if (!stays) await retireKey(tx, id);
      (stays ? result.waitingKeyIds : result.retiredKeyIds).push(id);
    }
    return result;
  });
}

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
