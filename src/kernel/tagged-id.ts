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

export function isTaggedId(digest: Digest, id: Buffer, ...parts: string[]): boolean {
  const half = id.length / 2;
  if (!Number.isInteger(half) || half === 0) return false;
  const [random, tag] = [id.subarray(0, half), id.subarray(half)];
  return digest.all(...partsOf(random, parts)).some((made) => timingSafeEqual(tagIn(made, half), tag));
}

const partsOf = (random: Buffer, parts: string[]): string[] => [
  'tagged-id',
  ...parts,
  random.toString('base64url'),
];

const tagIn = (made: Buffer, bytes: number): Buffer => made.subarray(KEY_ID_BYTES, KEY_ID_BYTES + bytes);
