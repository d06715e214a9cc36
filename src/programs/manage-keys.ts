import type { Actor } from '../audit/entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { refuseCardNumber } from '../kernel/card-numbers.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError, invalid, notFound } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import type { Secret } from '../kernel/secret.ts';
import { isReadableText } from '../kernel/text.ts';
import { chosenKeyFault, generateKey, hashKey, isRightsSeal, keyHint, sealRights } from './api-key.ts';
import type { ApiKey, KeyKind, Scope } from './program.ts';
import { insertKey, lockKey, readProgram, revokeKeyRow, updateKeyExpiry } from './queries.ts';

export interface NewKey {
  programId: string;
  kind: KeyKind;
  name: string;
  scopes: Scope[];
  expiresAt: Date | null;
}

/** The key itself is in the result and nowhere else: it can be shown now and never again. */
export interface CreatedKey {
  key: Secret;
  row: ApiKey;
}

export async function createKey(
  tx: Tx,
  digest: Digest,
  input: NewKey,
  by: Actor,
  chosen?: Secret,
): Promise<CreatedKey> {
  const program = (await readProgram(tx, input.programId))?.program;
  if (!program) throw notFound();
  const use = { mode: program.mode, kind: input.kind };
  const fault = chosen && chosenKeyFault(chosen, use);
  if (fault) throw invalid('key', fault);
  if (input.name.trim() === '' || input.name.length > 100 || !isReadableText(input.name))
    throw invalid('name', 'must be 1 to 100 printable characters');
  refuseCardNumber('name', input.name);
  const nowMs = Date.now();
  if (input.expiresAt && input.expiresAt.getTime() <= nowMs)
    throw invalid('expiresAt', 'must be in the future');
  const key = chosen ?? generateKey(use);
  const row: ApiKey = {
    ...input,
    id: newId(nowMs),
    hint: keyHint(key),
    createdAt: new Date(nowMs),
    lastUsedAt: null,
    revokedAt: null,
  };
  const hash = hashKey(digest, key);
  await insertKey(tx, row, hash, sealRights(digest, hash, input));
  await auditKey(tx, row, by, 'key.created', nowMs);
  return { key, row };
}

/**
 * A new key with the rights of the old one, which stays valid for the overlap. Unless told otherwise it ends when
 * the old one would have: a rotation must not make a key for good out of one for a month.
 */
export async function rotateKey(
  tx: Tx,
  digest: Digest,
  id: string,
  overlapMs: number,
  by: Actor,
  expiresAt?: Date | null,
): Promise<CreatedKey> {
  const old = await lockKey(tx, id);
  if (!old) throw notFound();
  const nowMs = Date.now();
  if (old.revokedAt || (old.expiresAt && old.expiresAt.getTime() <= nowMs))
    throw new EmbossError(409, 'The key is revoked or expired; create a new one');
  const { programId, kind, name, scopes } = old;
  // What was written into the row past us must not become a right that we seal.
  if (!isRightsSeal(digest, old.rightsSeal, old.keyHash, { programId, kind, scopes }))
    throw new EmbossError(409, 'The row of this key was altered; revoke the key and create a new one');
  const rights = { programId, kind, name, scopes };
  const end = expiresAt === undefined ? old.expiresAt : expiresAt;
  const created = await createKey(tx, digest, { ...rights, expiresAt: end }, by);
  await updateKeyExpiry(tx, id, new Date(nowMs + overlapMs));
  await auditKey(tx, old, by, 'key.rotated', nowMs);
  return created;
}

export async function revokeKey(db: Database, id: string, by: Actor): Promise<ApiKey> {
  return db.transaction(async (tx) => {
    const key = await lockKey(tx, id);
    if (!key) throw notFound();
    if (key.revokedAt) return key;
    const revokedAt = await revokeKeyRow(tx, id);
    await auditKey(tx, key, by, 'key.revoked', Date.now());
    return { ...key, revokedAt };
  });
}

function auditKey(tx: Tx, key: ApiKey, by: Actor, action: string, nowMs: number): Promise<void> {
  const { id, kind, name, hint, scopes, expiresAt } = key;
  return recordAudit(tx, {
    programId: key.programId,
    ...by,
    action,
    cardId: null,
    before: null,
    after: { id, kind, name, hint, scopes, expiresAt },
    nowMs,
  });
}
