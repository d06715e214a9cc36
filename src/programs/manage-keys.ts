import type { AuditAction } from '../audit/actions.ts';
import { audit } from '../audit/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { refuseCardNumber } from '../kernel/card-numbers.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import type { Secret } from '../kernel/secret.ts';
import { isReadableText } from '../kernel/text.ts';
import { type Actor, lockFor, readActor } from './actor.ts';
import { chosenKeyFault, generateKey, hashKey, isRightsSeal, keyHint, sealRights } from './api-key.ts';
import { type ApiKey, DEFAULT_SCOPES, type KeyKind, SCOPES, type Scope, scopesOf } from './program.ts';
import { insertKey, lockKey, revokeKeyRow, updateKeyExpiry } from './queries.ts';

export interface NewKey {
  kind: KeyKind;
  name: string;
  /** Default: `DEFAULT_SCOPES`. */
  scopes?: readonly Scope[] | undefined;
  expiresAt: Date | null;
}

/** Only this result contains the key: it is not stored and cannot be shown again. */
export interface CreatedKey {
  key: Secret;
  row: ApiKey;
}

export const createKey = async (
  tx: Tx,
  digest: Digest,
  actor: Actor,
  input: NewKey,
  chosen?: Secret,
): Promise<CreatedKey> => addKey(tx, digest, await readActor(tx, actor, actor.program.id), input, chosen);

async function addKey(
  tx: Tx,
  digest: Digest,
  actor: Actor,
  input: NewKey,
  chosen?: Secret,
): Promise<CreatedKey> {
  const { program } = actor;
  const use = { mode: program.mode, kind: input.kind };
  const fault = chosen && chosenKeyFault(chosen, use);
  if (fault) throw invalid('key', fault);
  if (input.name.trim() === '' || input.name.length > 100 || !isReadableText(input.name))
    throw invalid('name', 'must be 1 to 100 printable characters');
  refuseCardNumber('name', input.name);
  const scopes = input.scopes ?? DEFAULT_SCOPES[input.kind];
  checkScopes(input.kind, scopes);
  // Keys expire by real time, also in sandbox programs.
  const nowMs = actor.realNow();
  if (input.expiresAt && input.expiresAt.getTime() <= nowMs)
    throw invalid('expiresAt', 'must be in the future');
  const key = chosen ?? generateKey(use);
  const row: ApiKey = {
    ...input,
    scopes,
    programId: program.id,
    id: newId(nowMs),
    hint: keyHint(key),
    createdAt: new Date(nowMs),
    lastUsedAt: null,
    revokedAt: null,
  };
  const hash = hashKey(digest, key);
  await insertKey(tx, row, hash, sealRights(digest, hash, row));
  await auditKey(tx, actor, 'key.created', row);
  return { key, row };
}

export function checkScopes(kind: KeyKind, scopes: readonly Scope[]): void {
  const known: readonly Scope[] = SCOPES[kind];
  if (scopes.length === 0 || scopes.some((scope) => !known.includes(scope)))
    throw invalid('scopes', `must be one or more of ${known.join(', ')} for a ${kind} key`);
}

/**
 * Creates a key with the rights of the old one, which stays valid for the overlap. By default the new key has the
 * expiry of the old one: a rotation must not turn a key for a month into one that never expires.
 */
export async function rotateKey(
  tx: Tx,
  digest: Digest,
  actor: Actor,
  id: string,
  overlapMs: number,
  expiresAt?: Date | null,
): Promise<CreatedKey> {
  const [old, current] = await lockFor(tx, actor, lockKey(tx, id));
  const nowMs = current.realNow();
  if (old.revokedAt || (old.expiresAt && old.expiresAt.getTime() <= nowMs))
    throw new EmbossError(409, 'The key is revoked or expired; create a new one');
  const { programId, kind, name, scopes } = old;
  // A row that was changed in the database must not get a valid seal.
  if (!isRightsSeal(digest, old.rightsSeal, old.keyHash, { programId, kind, scopes }))
    throw new EmbossError(409, 'The row of this key was altered; revoke the key and create a new one');
  const end = expiresAt === undefined ? old.expiresAt : expiresAt;
  const input = { kind, name, scopes: scopesOf(old), expiresAt: end };
  const created = await addKey(tx, digest, current, input);
  await updateKeyExpiry(tx, id, new Date(nowMs + overlapMs));
  await auditKey(tx, current, 'key.rotated', old);
  return created;
}

export async function revokeKey(db: Database, actor: Actor, id: string): Promise<ApiKey> {
  return db.transaction(async (tx) => {
    const [key, current] = await lockFor(tx, actor, lockKey(tx, id));
    if (key.revokedAt) return key;
    const revokedAt = await revokeKeyRow(tx, id);
    await auditKey(tx, current, 'key.revoked', key);
    return { ...key, revokedAt };
  });
}

function auditKey(tx: Tx, actor: Actor, action: AuditAction, key: ApiKey): Promise<void> {
  const { id, kind, name, hint, scopes, expiresAt } = key;
  return audit(tx, actor, action, { after: { id, kind, name, hint, scopes, expiresAt } });
}
