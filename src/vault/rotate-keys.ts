import { setTimeout as wait } from 'node:timers/promises';
import { auditInstallation } from '../audit/audit.ts';
import { type Identity, localIdentity } from '../audit/entry.ts';
import type { Database, Queryable, Tx } from '../db/database.ts';
import { fillFingerprints, removeFingerprints } from './fill-fingerprints.ts';
import { addKey, type MasterKey, openKeyring, unwrapBytes, wrap } from './keyring.ts';
import {
  findKeys,
  findKeysReplacedFor,
  findRetiredKeys,
  lockKeys,
  retireLiveKeys,
  updateKeyResealed,
  updateKeyWrapping,
} from './queries.ts';
import { resealRecords } from './reseal-records.ts';
import { PURPOSES, type Purpose } from './seal.ts';
import type { RenewOptions, RenewProgress } from './walk-records.ts';

export { PURPOSES, type Purpose, type RenewOptions, type RenewProgress };

/** What is kept under the keys of a purpose. The vault knows its own tables; the floors above tell it of theirs. */
export interface KeyUse {
  /** Brings under the newest key what can be without its owner. Runs before a key is destroyed. */
  renew?(options: RenewOptions): Promise<RenewProgress>;
  /** What still needs a key that was replaced, in sentences. The key is kept while there are any. */
  needs?(keyId: number): Promise<string[]>;
  /** Ends what still needs it. */
  end?(keyId: number, by: Identity): Promise<void>;
  /** Removes the look-up rows of a key that is destroyed. */
  remove?(keyId: number): Promise<void>;
}

export interface RotationResult {
  purpose: Purpose;
  newKeyId: number;
  /** Records resealed, or rows of a look-up written. */
  renewed: number;
  retiredKeyIds: number[];
  /** Older keys that stay for now: a process or a kept answer may still use them. */
  waitingKeyIds: number[];
  /** Why old enough keys could not be destroyed, by key. */
  needs: Array<{ keyId: number; reasons: string[] }>;
}

export interface RotationOptions extends RenewOptions {
  actor?: Identity;
}

export interface RetirementOptions extends RotationOptions {
  /** Wanted for every purpose whose keys are used beyond the vault's own tables. */
  use?: KeyUse | undefined;
  /** End what still needs a key. */
  force?: boolean | undefined;
  retireAfterMs?: number;
  forgottenAfterMs?: number;
}

const SYSTEM = localIdentity('system:vault');
/** Longer than answers are kept for idempotency (24 h) and sessions last: those end by themselves. */
const RETIRE_AFTER_MS = 25 * 3_600_000;
/** No process looks anything up with a destroyed key any more; twice the time in which keys are read again. */
const FORGOTTEN_AFTER_MS = 60_000;

/** Keys that are used in the vault's own tables alone. The walk over these is made at once. */
const OWN_PURPOSES: readonly Purpose[] = ['card-number', 'personal-data', 'fingerprint'];

/**
 * Gives a purpose a new key and brings the vault's records under it, page by page, while everything runs. Run again
 * after an interruption, or a second time at once, it goes on with the same key.
 */
export async function rotateKeys(
  db: Database,
  masters: readonly MasterKey[],
  purpose: Purpose,
  { actor = SYSTEM, ...options }: RotationOptions = {},
): Promise<RotationResult> {
  await db.transaction((tx) => beginRotation(tx, masters, purpose, actor));
  const walked = await renewAll(db, masters, purpose, keyUseOf(db, masters, purpose, undefined), options);
  const waitingKeyIds = await olderKeyIds(db, purpose);
  return { purpose, ...walked, retiredKeyIds: [], waitingKeyIds, needs: [] };
}

/**
 * Destroys the keys that were replaced so long ago that no process writes with them any more. A process that had not
 * yet seen the new key may have used the old one after the rotation came by, so everything is walked over once more:
 * after that nothing is under those keys, and nothing can come under them again. A key that something still needs is
 * kept, and the result says what needs it.
 */
export async function retireKeys(
  db: Database,
  masters: readonly MasterKey[],
  purpose: Purpose,
  {
    use: given,
    actor = SYSTEM,
    force = false,
    retireAfterMs = RETIRE_AFTER_MS,
    forgottenAfterMs = FORGOTTEN_AFTER_MS,
    ...options
  }: RetirementOptions = {},
): Promise<RotationResult> {
  if (!given && !OWN_PURPOSES.includes(purpose))
    throw new Error(`what uses the ${purpose} keys must be known before one is destroyed`);
  const use = keyUseOf(db, masters, purpose, given);
  // Asked before the walk begins: a key that comes of age during it may have been used behind it.
  const ids = (await findKeysReplacedFor(db, purpose, retireAfterMs)).map(({ id }) => id);
  const walked =
    ids.length > 0
      ? await renewAll(db, masters, purpose, use, options)
      : { newKeyId: (await openKeyring(db, masters)).current(purpose).id, renewed: 0 };
  const needs: RotationResult['needs'] = [];
  for (const keyId of ids) {
    if (force) await use.end?.(keyId, actor);
    const reasons = (await use.needs?.(keyId)) ?? [];
    if (reasons.length > 0) needs.push({ keyId, reasons });
  }
  const unneeded = ids.filter((id) => !needs.some(({ keyId }) => keyId === id));
  const retiredKeyIds = await db.transaction((tx) => destroyKeys(tx, purpose, unneeded, actor));
  await removeLookUps(db, purpose, use, forgottenAfterMs);
  return { purpose, ...walked, retiredKeyIds, waitingKeyIds: await olderKeyIds(db, purpose), needs };
}

function keyUseOf(
  db: Database,
  masters: readonly MasterKey[],
  purpose: Purpose,
  given: KeyUse | undefined,
): KeyUse {
  if (purpose === 'card-number' || purpose === 'personal-data')
    return {
      renew: async (options) => {
        const keyring = await openKeyring(db, masters);
        return resealRecords(db, keyring, purpose, keyring.current(purpose), options);
      },
    };
  if (purpose === 'fingerprint')
    return {
      renew: async (options) => fillFingerprints(db, await openKeyring(db, masters), options),
      remove: (keyId) => removeFingerprints(db, keyId),
    };
  return given ?? {};
}

/** Adds a key unless the newest one is still being rotated to. */
async function beginRotation(
  tx: Tx,
  masters: readonly MasterKey[],
  purpose: Purpose,
  actor: Identity,
): Promise<void> {
  await lockKeys(tx);
  const keys = (await findKeys(tx)).filter((key) => key.purpose === purpose);
  const unfinished = keys.length > 1 && keys.at(-1)?.resealed_at === null;
  if (unfinished) return;
  const keyId = await addKey(tx, masters, purpose);
  await auditInstallation(tx, actor, 'vault.key_added', { after: { keyId, purpose } });
}

async function renewAll(
  db: Database,
  masters: readonly MasterKey[],
  purpose: Purpose,
  use: KeyUse,
  options: RenewOptions,
): Promise<{ newKeyId: number; renewed: number }> {
  // Read before the walk: a key that is added during it has a walk of its own to come.
  const newest = (await openKeyring(db, masters)).current(purpose);
  const { renewed } = (await use.renew?.(options)) ?? { renewed: 0 };
  await updateKeyResealed(db, newest.id);
  return { newKeyId: newest.id, renewed };
}

async function destroyKeys(
  tx: Tx,
  purpose: Purpose,
  ids: readonly number[],
  actor: Identity,
): Promise<number[]> {
  const destroyed = (await retireLiveKeys(tx, ids)).map(({ id }) => id);
  for (const keyId of destroyed)
    await auditInstallation(tx, actor, 'vault.key_destroyed', { after: { keyId, purpose } });
  return destroyed;
}

/** Those of every destroyed key: an earlier run may have been interrupted here. */
async function removeLookUps(
  db: Database,
  purpose: Purpose,
  use: KeyUse,
  forgottenAfterMs: number,
): Promise<void> {
  if (!use.remove) return;
  for (const { id, retiredForMs } of await findRetiredKeys(db, purpose)) {
    if (retiredForMs < forgottenAfterMs) await wait(forgottenAfterMs - retiredForMs);
    await use.remove(id);
  }
}

const olderKeyIds = async (db: Queryable, purpose: Purpose): Promise<number[]> =>
  (await findKeys(db))
    .filter((key) => key.purpose === purpose)
    .map((key) => key.id)
    .slice(0, -1);

/** Wraps every live data key under the current master key; run it while the previous one is still set. */
export async function rewrapKeys(
  db: Database,
  masters: readonly MasterKey[],
  actor: Identity = SYSTEM,
): Promise<number> {
  return db.transaction(async (tx) => {
    await lockKeys(tx);
    const keys = (await findKeys(tx)).filter((key) => key.master_key_id !== masters[0]?.id);
    for (const key of keys) {
      const { masterKeyId, wrapped } = wrap(masters, key.id, key.purpose, unwrapBytes(masters, key));
      await updateKeyWrapping(tx, key.id, masterKeyId, wrapped);
      const after = { keyId: key.id, purpose: key.purpose };
      await auditInstallation(tx, actor, 'vault.key_rewrapped', { after });
    }
    return keys.length;
  });
}
