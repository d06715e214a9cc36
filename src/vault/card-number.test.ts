import { createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyedDigest } from '../kernel/digest.ts';
import { isLuhn } from '../kernel/luhn.ts';
import { reveal, secret } from '../kernel/secret.ts';
import { type CvvInput, deriveCvv, fingerprintOf, randomCardNumber } from './card-number.ts';
import { keyOfScope } from './seal.ts';

const key = createSecretKey(randomBytes(32));
const bin = fc.stringMatching(/^[0-9]{6,8}$/);

test('a number is 16 digits under its BIN and passes the Luhn check', () => {
  fc.assert(
    fc.property(bin, (given) => {
      const number = reveal(randomCardNumber(given));
      expect(number).toMatch(/^\d{16}$/);
      expect(number.startsWith(given)).toBe(true);
      expect(isLuhn(number)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('numbers are distributed over the whole BIN', () => {
  const digits = Array.from({ length: 4_000 }, () => reveal(randomCardNumber('999900')).slice(6, 15));
  for (let index = 0; index < 9; index++)
    for (let digit = 0; digit < 10; digit++) {
      const share = digits.filter((text) => text[index] === String(digit)).length / digits.length;
      expect(share, `digit ${digit} at ${index}`).toBeGreaterThan(0.06);
      expect(share, `digit ${digit} at ${index}`).toBeLessThan(0.14);
    }
});

test('a fingerprint depends on the number and on the key', () => {
  const number = secret('9999001234567895');
  const own = { id: 3, key };
  const fingerprint = fingerprintOf(own, number);
  expect(fingerprint).toEqual(fingerprintOf(own, secret(reveal(number))));
  expect(fingerprintOf(own, secret('9999001234567896'))).not.toEqual(fingerprint);
  const other = fingerprintOf({ id: 3, key: createSecretKey(randomBytes(32)) }, number);
  expect(other).not.toEqual(fingerprint);
  // It begins with the id of its key.
  expect(fingerprint.subarray(0, 4)).toEqual(Buffer.of(0, 0, 0, 3));
});

const input: CvvInput = { programId: 'p', cardId: 'c', numberId: 'n', expiryDate: '2029-11-15', salt: 0 };

test('a CVV is three digits, always the same for the same input', () => {
  const all = Array.from({ length: 2_000 }, (_, salt) => reveal(deriveCvv(key, { ...input, salt })));
  for (const cvv of all) expect(cvv).toMatch(/^\d{3}$/);
  expect(reveal(deriveCvv(key, { ...input }))).toBe(all[0]);
  // 2,000 draws from 1,000: about 865 differ.
  expect(new Set(all).size).toBeGreaterThan(800);
});

test.each<[keyof CvvInput, (n: number) => Partial<CvvInput>]>([
  ['programId', (n) => ({ programId: `p${n}` })],
  ['cardId', (n) => ({ cardId: `c${n}` })],
  ['numberId', (n) => ({ numberId: `n${n}` })],
  ['expiryDate', (n) => ({ expiryDate: `20${n}-01-01` })],
  ['salt', (n) => ({ salt: n })],
])('a CVV depends on its %s', (_name, change) => {
  const values = Array.from({ length: 60 }, (_, n) =>
    reveal(deriveCvv(key, { ...input, ...change(n + 30) })),
  );
  expect(new Set(values).size).toBeGreaterThan(40);
});

test('fingerprints of sandbox and live numbers use different keys', () => {
  const key = createSecretKey(randomBytes(32));
  for (const [digits, mode] of [
    ['9999001234567890', 'sandbox'],
    ['9998001234567890', 'live'],
    ['4000001234567890', 'live'],
  ] as const) {
    const made = fingerprintOf({ id: 1, key }, secret(digits));
    for (const other of ['sandbox', 'live'])
      expect(
        made.equals(keyedDigest({ id: 1, key: keyOfScope(key, other) }, digits)),
        `${digits} ${other}`,
      ).toBe(other === mode);
  }
});
