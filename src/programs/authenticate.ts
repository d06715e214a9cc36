import { clockFrom } from '../db/clock.ts';
import type { Database, Queryable } from '../db/database.ts';
import { clientAddress } from '../http/client-address.ts';
import type { Limit } from '../http/limits.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError } from '../kernel/error.ts';
import { gather } from '../kernel/gather.ts';
import type { Counter, Metrics } from '../kernel/metric.ts';
import { type Secret, secret } from '../kernel/secret.ts';
import { type Actor, createActor, requestIdentity } from './actor.ts';
import { hashesOfKey, hashKey, hashText, isRightsSeal, sealRights } from './api-key.ts';
import { createKnownKeys } from './known-keys.ts';
import { type KeyKind, type Scope, scopesOf } from './program.ts';
import { findKeys, findValidKey, type KeyRow, programOf, updateKeyHash, updateLastUsed } from './queries.ts';

/** The same answer for missing, unknown, revoked and expired keys, so that it does not reveal the reason. */
const unauthorized = (): EmbossError => new EmbossError(401, 'Authentication failed');

const LAST_USED_EVERY_MS = 60_000;
const KEY_PREFIX = 'key:';

export type Authenticate = (
  header: string | string[] | undefined,
  request: { id: string; ip: string },
) => Promise<Actor>;

/** The reason of a refusal: for the metrics, never in the response. */
type KeyRefusal = 'missing' | 'unknown' | 'revoked' | 'expired' | 'altered' | 'limited';

export const REFUSED_KEYS: Counter<{ reason: KeyRefusal }> = {
  type: 'counter',
  name: 'emboss_refused_keys_total',
  help: 'API keys rejected: missing, unknown, revoked, expired, altered in the database, or limited after too many.',
  labels: { reason: ['missing', 'unknown', 'revoked', 'expired', 'altered', 'limited'] },
};

export interface AuthenticatorServices {
  db: Database;
  digest: Digest;
  /** False: keys of sandbox programs are refused as unknown. */
  sandboxPrograms: boolean;
  /** Counted by client address. */
  wrongKeys: Limit;
  metrics: Metrics;
  onError: (error: unknown) => void;
}

/**
 * Every request reads its key's row, so that a revocation takes effect at once in every process. Requests that arrive
 * together share one read.
 */
export function createAuthenticator(
  { db, digest, sandboxPrograms, wrongKeys, metrics, onError }: AuthenticatorServices,
  kind: KeyKind,
): Authenticate {
  const isKnown = createKnownKeys(db, kind);
  const findKey = gather(async (keys: string[]) => {
    await digest.refresh();
    const keysByHash = new Map(
      [...new Set(keys)].flatMap((key) =>
        hashesOfKey(digest, secret(key)).map((hash) => [hashText(hash), { key, hash }] as const),
      ),
    );
    const hashes = [...keysByHash.values()].map(({ hash }) => hash);
    const found = new Map<string, FoundKey | KeyRefusal>();
    for (const row of await findKeys(db, kind, hashes)) {
      if (row.mode === 'sandbox' && !sandboxPrograms) continue;
      const key = keysByHash.get(hashText(row.keyHash))?.key as string;
      const refusal = row.refusal ?? (isUnaltered(row) ? null : 'altered');
      if (!refusal && !digest.isCurrent(row.keyHash)) renewHash(row, secret(key));
      found.set(key, refusal ?? openKey(kind, row));
    }
    return keys.map((key) => found.get(key) ?? 'unknown');
  });

  function isUnaltered({ id: programId, keyId, keyHash, scopes, rightsSeal }: KeyRow): boolean {
    if (isRightsSeal(digest, rightsSeal, keyHash, { programId, kind, scopes })) return true;
    onError(new Error(`the row of API key ${keyId} was altered`));
    return false;
  }

  /** In the background: during a rotation of the vault's key, each API key is hashed again when it is used. */
  function renewHash({ id: programId, keyId, keyHash, scopes }: KeyRow, key: Secret): void {
    const hash = hashKey(digest, key);
    const seal = sealRights(digest, hash, { programId, kind, scopes });
    updateKeyHash(db, keyId, keyHash, { hash, seal }).catch(onError);
  }
  const lastUsed = new Map<string, number>();

  function noteUse(keyId: string): void {
    const now = performance.now();
    if (now - (lastUsed.get(keyId) ?? Number.NEGATIVE_INFINITY) < LAST_USED_EVERY_MS) return;
    lastUsed.set(keyId, now);
    // In the background: the request neither waits for the update nor fails with it.
    updateLastUsed(db, keyId).catch(onError);
  }

  function refuse(reason: KeyRefusal): EmbossError {
    metrics.count(REFUSED_KEYS, { reason });
    return unauthorized();
  }

  return async (header, request) => {
    if (typeof header !== 'string' || header === '') throw refuse('missing');
    const address = clientAddress(request.ip);
    if (wrongKeys.isReached(address) && !(await isKnown(hashesOfKey(digest, secret(header))))) {
      metrics.count(REFUSED_KEYS, { reason: 'limited' });
      throw wrongKeys.refuse(address);
    }
    const found = await findKey(header);
    if (typeof found === 'string') {
      wrongKeys.count(address);
      throw refuse(found);
    }
    noteUse(found.keyId);
    const { keyId, scopes, program, realNow } = found;
    return createActor({ scopes, ...requestIdentity(`${KEY_PREFIX}${keyId}`, request) }, program, realNow);
  };
}

/** Whether a key of this kind exists and is neither revoked nor expired. */
export const isValidKey = async (
  db: Database,
  digest: Digest,
  kind: KeyKind,
  key: Secret,
): Promise<boolean> =>
  (await findKeys(db, kind, hashesOfKey(digest, key))).some(({ refusal }) => refusal === null);

/** Whether the key behind the actor id `key:<id>` is still valid and unaltered, and has the scope. */
export async function mayStill(
  db: Queryable,
  digest: Digest,
  programId: string,
  actorId: string,
  scope: Scope,
): Promise<boolean> {
  const key = await findValidKey(db, programId, actorId.slice(KEY_PREFIX.length));
  if (!key?.scopes.includes(scope)) return false;
  return isRightsSeal(digest, key.rightsSeal, key.keyHash, key);
}

/** The result that requests with the same key share if they arrive together. */
type FoundKey = Pick<Actor, 'scopes' | 'program' | 'realNow'> & { keyId: string };

function openKey(kind: KeyKind, row: KeyRow): FoundKey {
  const { keyId, scopes, databaseMs } = row;
  return {
    keyId,
    scopes: scopesOf({ kind, scopes }),
    program: programOf(row),
    realNow: clockFrom(databaseMs),
  };
}

export function requireScope({ scopes }: Actor, scope: Scope): void {
  if (!scopes.includes(scope)) throw new EmbossError(403, `This key lacks the scope "${scope}"`);
}
