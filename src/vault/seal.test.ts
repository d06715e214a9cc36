import { createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DataKey, keyOfScope, seal, sealedKeyId, unseal } from './seal.ts';

const dataKey = (id: number): DataKey => ({ id, key: createSecretKey(randomBytes(32)) });
const key = dataKey(7);
const HERE = ['program', 'card', 'number', 'id'];

const plain = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
const binding = fc.array(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 5 });

test('sealed text opens with its own binding, and shows the id of its key', () => {
  fc.assert(
    fc.property(plain, binding, (bytes, bound) => {
      const sealed = seal(key, bound, bytes);
      expect(sealedKeyId(sealed)).toBe(key.id);
      expect(unseal(key, bound, sealed)).toEqual(bytes);
    }),
  );
});

test('every flipped bit is detected', () => {
  const sealed = seal(key, HERE, Buffer.from('9999001234567890'));
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const altered = Buffer.from(sealed);
    altered[bit >> 3] = (altered[bit >> 3] as number) ^ (1 << (bit & 7));
    expect(() => unseal(key, HERE, altered), `bit ${bit}`).toThrow();
  }
});

test('every removed and every added byte is detected', () => {
  const sealed = seal(key, HERE, Buffer.from('9999001234567890'));
  for (let length = 0; length < sealed.length; length++)
    expect(() => unseal(key, HERE, sealed.subarray(0, length)), `${length} bytes`).toThrow();
  expect(() => unseal(key, HERE, Buffer.concat([sealed, Buffer.alloc(1)]))).toThrow();
});

test('it opens with no other binding', () => {
  fc.assert(
    fc.property(plain, binding, binding, (bytes, bound, other) => {
      fc.pre(JSON.stringify(bound) !== JSON.stringify(other));
      expect(() => unseal(key, other, seal(key, bound, bytes))).toThrow();
    }),
  );
  // Bindings that are equal when their parts are joined.
  for (const other of [['ab', 'c'], ['abc'], ['a', 'b', 'c'], ['a', 'bc', ''], ['a,bc'], ['a","bc']])
    expect(() => unseal(key, other, seal(key, ['a', 'bc'], Buffer.from('x')))).toThrow();
});

test('it opens with no other key, neither one with the same id nor under another id', () => {
  const sealed = seal(key, HERE, Buffer.from('x'));
  expect(() => unseal(dataKey(7), HERE, sealed)).toThrow();
  expect(() => unseal(dataKey(8), HERE, sealed)).toThrow();
  expect(() => unseal({ ...key, id: 8 }, HERE, sealed)).toThrow();
  const renamed = Buffer.concat([Buffer.from([0, 0, 0, 8]), sealed.subarray(4)]);
  expect(() => unseal({ ...key, id: 8 }, HERE, renamed)).toThrow();
});

test('the same text sealed twice has only the key id in common', () => {
  const [one, two] = [seal(key, HERE, Buffer.from('same')), seal(key, HERE, Buffer.from('same'))];
  expect(one.subarray(4, 16)).not.toEqual(two.subarray(4, 16));
  expect(one.subarray(32)).not.toEqual(two.subarray(32));
});

test('every program has its own sealing key, always the same', () => {
  const scopes = Array.from({ length: 1_500 }, (_, at) => `program ${at}`);
  const keys = scopes.map((scope) => keyOfScope(key.key, scope).export().toString('hex'));
  expect(new Set([...keys, key.key.export().toString('hex')]).size).toBe(1_501);
  expect(scopes.map((scope) => keyOfScope(key.key, scope).export().toString('hex'))).toEqual(keys);
});
