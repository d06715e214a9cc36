import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../db/database.ts';
import { reveal, type Secret } from '../kernel/secret.ts';
import { findAllKeys, findKeys, insertKey, type KeyRow, lockKeys } from './queries.ts';
import { type DataKey, PURPOSES, type Purpose, seal, unseal } from './seal.ts';

/** Keys created by other processes are known here after this time at the latest; retirement waits far longer. */
const MAX_AGE_MS = 30_000;
/** This long after a key was created, every process knows it and no transaction without it is left. */
const SETTLED_AFTER_MS = 120_000;

/** A request must not wait long for an unavailable database. */
const REFRESH_TIMEOUT_MS = 2_000;

export interface KeyringOptions {
  maxAgeMs?: number;
}

export interface MasterKey {
  readonly id: string;
  readonly key: KeyObject;
}

export interface Keyring {
  /**
   * Reloads keys that are older than 30 seconds. Await it before sealing. `via` is the connection that the caller holds:
   * taking a second one could deadlock a pool that is full of transactions.
   */
  refresh(via: Queryable): Promise<void>;
  /** The newest key of a purpose: seals and derives new values. */
  current(purpose: Purpose): DataKey;
  /** The newest key that every process knows: for values that other processes must find. */
  settled(purpose: Purpose): DataKey;
  /** Keys that are not retired, newest first. The oldest one is complete: see README.md. */
  live(purpose: Purpose): readonly DataKey[];
  /** A key by its id; throws if it was destroyed. */
  byId(id: number, via: Queryable): Promise<DataKey>;
  /** A key by its id; undefined if it was destroyed. */
  find(id: number, via: Queryable): Promise<DataKey | undefined>;
}

export function masterKeyFrom(base64: Secret): MasterKey {
  const bytes = Buffer.from(reveal(base64), 'base64');
  if (bytes.length !== 32) throw new Error('EMBOSS_MASTER_KEY must be 32 bytes in base64');
  const id = createHmac('sha256', bytes).update('emboss master key id').digest('hex').slice(0, 16);
  return { id, key: createSecretKey(bytes) };
}

/** `masters`: the master key, then the previous one during a change of master key. */
export async function openKeyring(
  db: Database,
  masters: readonly MasterKey[],
  { maxAgeMs = MAX_AGE_MS }: KeyringOptions = {},
): Promise<Keyring> {
  await createMissingKeys(db, masters);
  let keys = new Map<number, KeptKey>();
  let byPurpose = new Map<Purpose, KeptKey[]>();
  let loadedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  async function load(via: Queryable, timeoutMs?: number): Promise<void> {
    const startedAt = Date.now();
    const startedAtMonotonic = performance.now();
    const rows = await findKeys(via, timeoutMs);
    keys = new Map(
      rows.map((row) => {
        const settledAt = startedAtMonotonic + SETTLED_AFTER_MS - row.ageMs;
        return [row.id, { id: row.id, purpose: row.purpose, key: unwrap(masters, row), settledAt }];
      }),
    );
    // The rows come in order of their ids.
    const newestFirst = [...keys.values()].reverse();
    byPurpose = new Map(
      PURPOSES.map((purpose) => [purpose, newestFirst.filter((key) => key.purpose === purpose)]),
    );
    loadedAt = startedAt;
  }
  await load(db);
  const live = (purpose: Purpose) => byPurpose.get(purpose) as KeptKey[];
  async function find(id: number, via: Queryable): Promise<DataKey | undefined> {
    if (!keys.has(id)) await load(via);
    return keys.get(id);
  }

  return {
    refresh: async (via) => {
      // Wall-clock time, because the monotonic clock may stop while a machine sleeps. `abs`, because it may be set back.
      if (Math.abs(Date.now() - loadedAt) < maxAgeMs) return;
      if (via !== db) return load(via);
      // Concurrent requests share one read.
      loading ??= load(db, REFRESH_TIMEOUT_MS).finally(() => {
        loading = undefined;
      });
      await loading;
    },
    current: (purpose) => live(purpose)[0] as DataKey,
    settled: (purpose) => {
      const all = live(purpose);
      const nowMs = performance.now();
      return (all.find(({ settledAt }) => settledAt <= nowMs) ?? all.at(-1)) as DataKey;
    },
    live,
    byId: async (id, via) => {
      const key = await find(id, via);
      if (!key) throw new Error(`vault key ${id} does not exist or is retired`);
      return key;
    },
    find,
  };
}

interface KeptKey extends DataKey {
  purpose: Purpose;
  /** By the clock of `performance`. */
  settledAt: number;
}

async function createMissingKeys(db: Database, masters: readonly MasterKey[]): Promise<void> {
  const present = new Set((await findKeys(db)).map((row) => row.purpose));
  if (PURPOSES.every((purpose) => present.has(purpose))) return;
  await db.transaction(async (tx) => {
    await lockKeys(tx);
    const existing = new Set((await findKeys(tx)).map((row) => row.purpose));
    for (const purpose of PURPOSES) if (!existing.has(purpose)) await addKey(tx, masters, purpose);
  });
}

/** Adds a fresh data key. Call it in a transaction that holds the lock on the keys. */
export async function addKey(
  tx: Queryable,
  masters: readonly MasterKey[],
  purpose: Purpose,
): Promise<number> {
  const id = 1 + Math.max(0, ...(await findAllKeys(tx)).map((row) => row.id));
  await insertKey(tx, { id, purpose, ...wrap(masters, id, purpose, randomBytes(32)) });
  return id;
}

export function wrap(masters: readonly MasterKey[], id: number, purpose: Purpose, bytes: Buffer) {
  const master = masters[0];
  if (!master) throw new Error('no master key');
  return {
    masterKeyId: master.id,
    wrapped: seal({ id: 0, key: master.key }, ['vault-key', String(id), purpose], bytes),
  };
}

export function unwrapBytes(masters: readonly MasterKey[], row: KeyRow): Buffer {
  const master = masters.find((candidate) => candidate.id === row.masterKeyId);
  if (!master)
    throw new Error(
      'EMBOSS_MASTER_KEY is not the master key of this database; set the right key, or EMBOSS_MASTER_KEY_PREVIOUS while you change it',
    );
  try {
    return unseal({ id: 0, key: master.key }, ['vault-key', String(row.id), row.purpose], row.wrapped);
  } catch {
    throw new Error(`vault key ${row.id} was altered in the database and cannot be opened; restore it`);
  }
}

const unwrap = (masters: readonly MasterKey[], row: KeyRow): KeyObject =>
  createSecretKey(unwrapBytes(masters, row));

export interface KeyState {
  id: number;
  purpose: Purpose;
  createdAt: Date;
  /** When the last run ended that left no record under an older key of its purpose. */
  resealedAt: Date | null;
  retiredAt: Date | null;
  /** Which master key opens it; `none` also if the row was altered. */
  openedBy: 'current' | 'previous' | 'none' | 'retired';
}

/** All keys, including destroyed ones, for display. Changes nothing. */
export async function inspectKeys(db: Queryable, masters: readonly MasterKey[]): Promise<KeyState[]> {
  const rows = await findAllKeys(db);
  return rows.map((row) => ({
    id: row.id,
    purpose: row.purpose,
    createdAt: row.createdAt,
    resealedAt: row.resealedAt,
    retiredAt: row.retiredAt,
    openedBy: row.retiredAt ? 'retired' : openedBy(masters, row),
  }));
}

function openedBy(masters: readonly MasterKey[], row: KeyRow): KeyState['openedBy'] {
  try {
    unwrapBytes(masters, row);
    return row.masterKeyId === masters[0]?.id ? 'current' : 'previous';
  } catch {
    return 'none';
  }
}
