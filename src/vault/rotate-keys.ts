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

/** How values under the keys of a purpose are renewed. The vault knows its own tables; other folders pass theirs in. */
export interface KeyUse {
  /** Moves values to the newest key where that needs no action by their owner. Runs before a key is destroyed. */
  renew?(options: RenewOptions): Promise<RenewProgress>;
  /** Sentences that say what still needs a replaced key. The key is kept while there are any. */
  needs?(keyId: number): Promise<string[]>;
  /** Revokes or disables whatever still needs the key. */
  end?(keyId: number, by: Identity): Promise<void>;
  /** Removes the look-up rows of a destroyed key. */
  remove?(keyId: number): Promise<void>;
}

export interface RotationResult {
  purpose: Purpose;
  newKeyId: number;
  /** Records resealed, or look-up rows written. */
  renewed: number;
  retiredKeyIds: number[];
  /** Older keys that are kept for now, because a process or a stored answer may still use them. */
  waitingKeyIds: number[];
  /** Why keys that are old enough could not be destroyed. */
  needs: Array<{ keyId: number; reasons: string[] }>;
}

export interface RotationOptions extends RenewOptions {
  /** For the audit. */
  actor?: Identity;
}

export interface RetirementOptions extends RotationOptions {
  /** Required for every purpose whose keys are used outside the vault's own tables. */
  use?: KeyUse | undefined;
  /** Revoke or disable whatever still needs a key. */
  force?: boolean | undefined;
  retireAfterMs?: number;
  forgottenAfterMs?: number;
}

const SYSTEM = localIdentity('system:vault');
/** Longer than idempotent answers (24 h) and sessions exist: those expire by themselves. */
const RETIRE_AFTER_MS = 25 * 3_600_000;
/** After this time no process uses a destroyed key for look-ups: twice the interval at which keys are reloaded. */
const FORGOTTEN_AFTER_MS = 60_000;

/** Purposes whose keys are used in the vault's own tables only. */
const OWN_PURPOSES: readonly Purpose[] = ['card-number', 'personal-data', 'fingerprint'];

/**
 * Creates a new key for a purpose and reseals the vault's records with it, page by page, while servers run. A second run,
 * after an interruption or at the same time, continues with the same key.
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
 * Destroys keys that were replaced so long ago that no process writes with them any more. A process that had not yet seen
 * the new key may have used the old one after the rotation had passed, so all records are checked once more: after that no
 * record uses those keys, and none can use them again. A key that is still needed is kept, and the result says why.
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
  // Read before the records: a key that becomes old enough meanwhile may have been used for records already passed.
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

/** Adds a key unless a rotation to the newest one is unfinished. */
async function beginRotation(
  tx: Tx,
  masters: readonly MasterKey[],
  purpose: Purpose,
  actor: Identity,
): Promise<void> {
  await lockKeys(tx);
  const keys = (await findKeys(tx)).filter((key) => key.purpose === purpose);
  const unfinished = keys.length > 1 && keys.at(-1)?.resealedAt === null;
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
  // Read first: a key that is added meanwhile gets a run of its own.
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

/** For every destroyed key, because an earlier run may have been interrupted here. */
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
    const keys = (await findKeys(tx)).filter((key) => key.masterKeyId !== masters[0]?.id);
    for (const key of keys) {
      const { masterKeyId, wrapped } = wrap(masters, key.id, key.purpose, unwrapBytes(masters, key));
      await updateKeyWrapping(tx, key.id, masterKeyId, wrapped);
      const after = { keyId: key.id, purpose: key.purpose };
      await auditInstallation(tx, actor, 'vault.key_rewrapped', { after });
    }
    return keys.length;
  });
}
