import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Digest, KEY_ID_BYTES } from './digest.ts';

/**
 * An id whose second half is a keyed digest of its first half, which is random, and of `parts`. So the server recognises its
 * own ids without a query, and a limit can count an invented one for the address it comes from.
 */
export function newTaggedId(digest: Digest, bytes: number, ...parts: string[]): Buffer {
  const random = randomBytes(bytes / 2);
  return Buffer.concat([random, tagIn(digest(...partsOf(random, parts)), random.length)]);
}

/** An id of any other length is not one: a shorter tag could be guessed. */
export function isTaggedId(digest: Digest, id: Buffer, bytes: number, ...parts: string[]): boolean {
  if (id.length !== bytes) return false;
  const half = bytes / 2;
  const [random, tag] = [id.subarray(0, half), id.subarray(half)];
  return digest.all(...partsOf(random, parts)).some((made) => timingSafeEqual(tagIn(made, half), tag));
}

const partsOf = (random: Buffer, parts: string[]): string[] => [
  'tagged-id',
  ...parts,
  random.toString('base64url'),
];

const tagIn = (made: Buffer, bytes: number): Buffer => made.subarray(KEY_ID_BYTES, KEY_ID_BYTES + bytes);
