import type { Queryable, Tx } from '../db/database.ts';
import type { SealedRecords } from '../db/sealed-records.ts';
import { newId } from '../kernel/ids.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';

/** How long the previous secret also signs after a rotation. */
export const ROTATION_MS = 24 * 3_600_000;

const KIND = 'signing-secret';
export type SecretKeeper = SealedRecords<typeof KIND>;

/** A target whose requests are signed, such as a webhook endpoint. The ids are those of its secrets in the vault. */
export interface SecretOwner {
  programId: string;
  secretId: string;
  previousSecretId: string | null;
  previousSignsUntil: Date | null;
}

/** Seals a secret and returns its id. */
export async function keepSecret(
  keeper: SecretKeeper,
  tx: Tx,
  programId: string,
  value: Secret,
): Promise<string> {
  const id = newId(Date.now());
  await keeper.sealRecord(tx, { programId, ownerId: id, kind: KIND, id }, reveal(value));
  return id;
}

/** For secrets that sign no more. The older one comes first, because a key rotation reseals them in this order. */
export async function eraseSecrets(
  keeper: SecretKeeper,
  tx: Tx,
  programId: string,
  ids: ReadonlyArray<string | null>,
): Promise<void> {
  for (const id of ids) if (id) await keeper.eraseRecord(tx, { programId, ownerId: id, kind: KIND });
}

/** The ids of all secrets that sign now, newest first. */
export function signersOf(
  { secretId, previousSecretId, previousSignsUntil }: SecretOwner,
  realNowMs: number,
): string[] {
  const both = previousSecretId && previousSignsUntil && previousSignsUntil.getTime() > realNowMs;
  return both ? [secretId, previousSecretId] : [secretId];
}

/** All secrets that sign now, newest first. */
export async function openSecrets(
  keeper: SecretKeeper,
  db: Queryable,
  owner: SecretOwner,
  realNowMs: number,
): Promise<Secret[]> {
  const ids = signersOf(owner, realNowMs);
  const texts = await keeper.openRecords(db, owner.programId, KIND, ids);
  return ids.map((id) => {
    const text = texts.get(id);
    if (typeof text !== 'string')
      throw new Error(`signing secret ${id} is missing in the vault, or was erased`);
    return secret(text);
  });
}
