import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { bytesOf, type Secret } from './secret.ts';

export const KEY_ID_BYTES = 4;

type Part = string | Secret;

export interface DigestKey {
  readonly id: number;
  readonly key: KeyObject;
}

/**
 * Keyed digests. The vault holds the keys, so that no digest can be computed from the database alone. Each digest begins
 * with the id of its key, so that older digests stay valid after a key rotation. The function itself returns the digest to store.
 */
export interface Digest {
  (...parts: Part[]): Buffer;
  /** One digest for each live key, newest first: the values that a look-up tries. */
  all(...parts: Part[]): Buffer[];
  /** With the key of another digest; undefined once that key is destroyed. */
  like(made: Buffer, ...parts: Part[]): Buffer | undefined;
  /** Whether a stored digest matches these parts, whichever key it was computed with. */
  matches(stored: Buffer, ...parts: Part[]): boolean;
  /** False: its key is being replaced. Compute the digest again when its content is available. */
  isCurrent(made: Buffer): boolean;
  /** Await it first, outside a transaction: keys created by other processes are known within 30 seconds. */
  refresh(): Promise<void>;
}

export interface DigestKeys {
  /** The key for new digests, known to every process. */
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

/** A secret enters as its length, and its bytes after the text, so that it never becomes a string. */
function digestOf({ id, key }: DigestKey, parts: readonly Part[]): Buffer {
  const secrets = parts.filter((part) => typeof part !== 'string').map(bytesOf);
  const text = JSON.stringify(parts.map((part) => (typeof part === 'string' ? part : bytesOf(part).length)));
  const hmac = createHmac('sha256', key).update(text);
  for (const bytes of secrets) hmac.update(bytes);
  return Buffer.concat([encodeKeyId(id), hmac.digest()]);
}

/** The id of the key, then HMAC-SHA-256. */
export const keyedDigest = ({ id, key }: DigestKey, content: string | Buffer): Buffer =>
  Buffer.concat([encodeKeyId(id), createHmac('sha256', key).update(content).digest()]);

/** Reads the id without verifying the digest. */
export const digestKeyId = (made: Buffer): number => (made.length < KEY_ID_BYTES ? 0 : made.readUInt32BE(0));

export function encodeKeyId(id: number): Buffer {
  const bytes = Buffer.alloc(KEY_ID_BYTES);
  bytes.writeUInt32BE(id);
  return bytes;
}

/** The index range that holds the digests of a key. */
export const digestRange = (keyId: number): { from: Buffer; to: Buffer } => ({
  from: encodeKeyId(keyId),
  to: encodeKeyId(keyId + 1),
});
