import type { Queryable } from '../db/database.ts';
import type { EventType } from '../events/event.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';

export const MAX_ENDPOINTS = 5;

/** How long the secret before the newest one signs too. */
export const ROTATION_MS = 24 * 3_600_000;

export interface Endpoint {
  programId: string;
  id: string;
  url: string;
  /** Null: all of them. */
  eventTypes: EventType[] | null;
  status: 'ENABLED' | 'DISABLED' | 'REMOVED';
  statusReason: string | null;
  createdAt: Date;
}

/** An endpoint with what signs for it, still sealed. */
export interface SealedEndpoint extends Endpoint {
  sealedSecret: Buffer;
  sealedPrevious: Buffer | null;
  previousSignsUntil: Date | null;
}

/** How secrets are kept. The vault is handed in, since it is not for this floor to know. */
export interface SecretKeeper {
  sealText(db: Queryable, binding: readonly string[], text: string): Promise<Buffer>;
  openText(db: Queryable, binding: readonly string[], sealed: Buffer): Promise<string>;
}

const bindingOf = ({ programId, id }: Pick<Endpoint, 'programId' | 'id'>) => [
  programId,
  'webhook-secret',
  id,
];

export const sealSecret = (
  keeper: SecretKeeper,
  db: Queryable,
  endpoint: Pick<Endpoint, 'programId' | 'id'>,
  value: Secret,
): Promise<Buffer> => keeper.sealText(db, bindingOf(endpoint), reveal(value));

/** All that sign now, the newest first. */
export async function openSecrets(
  keeper: SecretKeeper,
  db: Queryable,
  endpoint: SealedEndpoint,
  realNowMs: number,
): Promise<Secret[]> {
  const { sealedSecret, sealedPrevious, previousSignsUntil } = endpoint;
  const both = sealedPrevious && previousSignsUntil && previousSignsUntil.getTime() > realNowMs;
  const sealed = both ? [sealedSecret, sealedPrevious] : [sealedSecret];
  const texts = await Promise.all(sealed.map((bytes) => keeper.openText(db, bindingOf(endpoint), bytes)));
  return texts.map(secret);
}

export const presentEndpoint = ({ id, url, eventTypes, status, statusReason, createdAt }: Endpoint) => ({
  id,
  url,
  eventTypes,
  status,
  statusReason,
  created: formatTimestamp(createdAt),
});
