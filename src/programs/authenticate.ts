import type { Database } from '../db/database.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError } from '../kernel/error.ts';
import { gather } from '../kernel/gather.ts';
import { type Secret, secret } from '../kernel/secret.ts';
import { hashKey, sealRights } from './api-key.ts';
import type { Caller, KeyKind, Scope } from './program.ts';
import { findValidKeys, updateLastUsed, type ValidKeyRow } from './queries.ts';

/** Says nothing about why: missing, unknown, revoked and expired keys look alike. */
const unauthorized = (): EmbossError => new EmbossError(401, 'Authentication failed');

const LAST_USED_EVERY_MS = 60_000;

export type Authenticate = (header: string | string[] | undefined) => Promise<Caller>;

/**
 * Every request reads its key's row, so that a revocation holds at once on every process. Requests that
 * arrive together share one read.
 */
export function createAuthenticator(
  db: Database,
  digest: Digest,
  kind: KeyKind,
  onError: (error: unknown) => void,
): Authenticate {
  const findKey = gather(async (keys: string[]) => {
    const hashes = new Map([...new Set(keys)].map((key) => [key, hashKey(digest, secret(key))]));
    const found = new Map<string, { keyId: string; caller: Caller }>();
    for (const row of await findValidKeys(db, kind, [...hashes.values()]))
      if (isUnaltered(row))
        found.set(row.keyHash.toString('latin1'), { keyId: row.keyId, caller: toCaller(row) });
    return keys.map((key) => found.get((hashes.get(key) as Buffer).toString('latin1')));
  });

  function isUnaltered({ id: programId, keyId, keyHash, scopes, rightsSeal }: ValidKeyRow): boolean {
    if (rightsSeal.equals(sealRights(digest, keyHash, { programId, kind, scopes }))) return true;
    onError(new Error(`the row of API key ${keyId} was altered`));
    return false;
  }
  const lastUsed = new Map<string, number>();

  function noteUse(keyId: string): void {
    const now = performance.now();
    if (now - (lastUsed.get(keyId) ?? Number.NEGATIVE_INFINITY) < LAST_USED_EVERY_MS) return;
    lastUsed.set(keyId, now);
    // Beside the request: a caller never waits for, or fails with, this note.
    updateLastUsed(db, keyId).catch(onError);
  }

  return async (header) => {
    if (typeof header !== 'string' || header === '') throw unauthorized();
    const found = await findKey(header);
    if (!found) throw unauthorized();
    noteUse(found.keyId);
    return found.caller;
  };
}

/** Whether somebody who shows this key would be let in now. */
export const isValidKey = async (
  db: Database,
  digest: Digest,
  kind: KeyKind,
  key: Secret,
): Promise<boolean> => (await findValidKeys(db, kind, [hashKey(digest, key)])).length > 0;

function toCaller(row: ValidKeyRow): Caller {
  const { keyHash: _hash, rightsSeal: _seal, keyId, scopes, databaseMs, ...program } = row;
  const readAt = performance.now();
  return {
    actor: `key:${keyId}`,
    scopes,
    program,
    realNow: () => databaseMs + (performance.now() - readAt),
  };
}

export function requireScope(caller: Caller, scope: Scope): void {
  if (!caller.scopes.includes(scope)) throw new EmbossError(403, `This key lacks the scope "${scope}"`);
}
