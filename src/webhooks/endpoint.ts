import type { Queryable, Tx } from '../db/database.ts';
import type { SealedRecords } from '../db/sealed-records.ts';
import type { Endpoint, SigningEndpoint } from '../events/event.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { newId } from '../kernel/ids.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';

export const MAX_ENDPOINTS = 5;

/** How long the previous secret also signs after a rotation. */
export const ROTATION_MS = 24 * 3_600_000;

const KIND = 'webhook-secret';
export type SecretKeeper = SealedRecords<typeof KIND>;

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

/** The ids of all secrets that sign now, newest first. */
export function signersOf(
  { secretId, previousSecretId, previousSignsUntil }: SigningEndpoint,
  realNowMs: number,
): string[] {
  const both = previousSecretId && previousSignsUntil && previousSignsUntil.getTime() > realNowMs;
  return both ? [secretId, previousSecretId] : [secretId];
}

/** All secrets that sign now, newest first. */
export async function openSecrets(
  keeper: SecretKeeper,
  db: Queryable,
  endpoint: SigningEndpoint,
  realNowMs: number,
): Promise<Secret[]> {
  const ids = signersOf(endpoint, realNowMs);
  const texts = await keeper.openRecords(db, endpoint.programId, KIND, ids);
  return ids.map((id) => {
    if (!texts.has(id)) throw new Error(`webhook secret ${id} is missing in the vault`);
    return secret(String(texts.get(id)));
  });
}

export const presentEndpoint = ({ id, url, eventTypes, status, statusReason, createdAt }: Endpoint) => ({
  id,
  url,
  eventTypes,
  status,
  statusReason,
  created: formatTimestamp(createdAt),
});
