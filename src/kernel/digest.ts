import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { bytesOf, type Secret } from './secret.ts';

const KEY_ID_BYTES = 4;

type Part = string | Secret;

export interface DigestKey {
  readonly id: number;
  readonly key: KeyObject;
}

/**
 * Keyed digests; the vault holds the keys, so that no digest can be made in the database. Each begins with the id of its
 * key, so that a rotation of keys leaves older ones recognisable. Called by itself it makes the digest to store.
 */
export interface Digest {
  (...parts: Part[]): Buffer;
  /** Under every key that is not retired, newest first: what a look-up tries. */
  all(...parts: Part[]): Buffer[];
  /** Under the key that another digest was made with; undefined once that key is destroyed. */
  like(made: Buffer, ...parts: Part[]): Buffer | undefined;
  /** Whether a stored digest is the digest of these parts, whichever key it was made with. */
  matches(stored: Buffer, ...parts: Part[]): boolean;
  /** False: made with a key that is being replaced. Make it anew when its content is at hand. */
  isCurrent(made: Buffer): boolean;
  /** Await it before the others, outside a transaction: a key that another process made is known within half a minute. */
  refresh(): Promise<void>;
}

export interface DigestKeys {
  /** What new digests are made with: a key that every process knows. */
  current(): DigestKey;
  /** Newest first. */
  live(): readonly DigestKey[];
  refresh(): Promise<void>;
}

export function createDigest({ current, live, refresh }: DigestKeys): Digest {
  const like = (made: Buffer, ...parts: Part[]): Buffer | undefined => {
    const key = live().find(({ id }) => id === digestKeyId(made));
    return key && digestOf(key, parts);
  };
  return Object.assign((...parts: Part[]) => digestOf(current(), parts), {
    all: (...parts: Part[]) => live().map((key) => digestOf(key, parts)),
    like,
    matches: (stored: Buffer, ...parts: Part[]) => {
      const made = like(stored, ...parts);
      return made !== undefined && made.length === stored.length && timingSafeEqual(made, stored);
    },
    isCurrent: (made: Buffer) => digestKeyId(made) === current().id,
    refresh,
  });
}

/** A secret takes part as a digest of its own, so that no string is made of it. */
const digestOf = (key: DigestKey, parts: readonly Part[]): Buffer =>
  keyedDigest(
    key,
    JSON.stringify(
      parts.map((part) =>
        typeof part === 'string' ? part : keyedDigest(key, bytesOf(part)).toString('hex'),
      ),
    ),
  );

/** The id of the key, then HMAC-SHA-256. */
export const keyedDigest = ({ id, key }: DigestKey, content: string | Buffer): Buffer =>
  Buffer.concat([encodeKeyId(id), createHmac('sha256', key).update(content).digest()]);

/** As far as the bytes say. */
export const digestKeyId = (made: Buffer): number => (made.length < KEY_ID_BYTES ? 0 : made.readUInt32BE(0));

export function encodeKeyId(id: number): Buffer {
  const bytes = Buffer.alloc(KEY_ID_BYTES);
  bytes.writeUInt32BE(id);
  return bytes;
}

/** Where the digests of a key begin and end in an index. */
export const digestRange = (keyId: number): { from: Buffer; to: Buffer } => ({
  from: encodeKeyId(keyId),
  to: encodeKeyId(keyId + 1),
});
