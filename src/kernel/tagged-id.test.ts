import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDigest } from './digest.ts';
import { isTaggedId, newTaggedId } from './tagged-id.ts';

const key = { id: 1, key: createSecretKey(randomBytes(32)) };
const digest = createDigest({ current: () => key, live: () => [key], refresh: async () => {} });

test('an id of ours is recognised, for the same parts and length alone', () => {
  const id = newTaggedId(digest, 18, 'device', 'a');
  expect(isTaggedId(digest, id, 18, 'device', 'a')).toBe(true);
  expect(isTaggedId(digest, id, 18, 'device', 'b')).toBe(false);
  expect(isTaggedId(digest, id, 16, 'device', 'a')).toBe(false);
  for (let index = 0; index < id.length; index++) {
    const changed = Buffer.from(id);
    changed[index] = (changed[index] as number) ^ 1;
    expect(isTaggedId(digest, changed, 18, 'device', 'a')).toBe(false);
  }
});

test('no other length is one: the tag of a short id could be guessed, and a long one compares nothing', () => {
  for (let tag = 0; tag < 256; tag++)
    expect(isTaggedId(digest, Buffer.from([7, tag]), 18, 'device')).toBe(false);
  for (const bytes of [0, 1, 17, 19, 64, 80]) expect(isTaggedId(digest, Buffer.alloc(bytes), 18)).toBe(false);
});
