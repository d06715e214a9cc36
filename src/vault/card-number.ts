import { createHmac, type KeyObject, randomInt, timingSafeEqual } from 'node:crypto';
import { SANDBOX_PREFIX } from '../kernel/card-numbers.ts';
import { type DigestKey, keyedDigest } from '../kernel/digest.ts';
import { luhnCheckDigit } from '../kernel/luhn.ts';
import { bytesOf, type Secret, secret } from '../kernel/secret.ts';
import { keyOfScope } from './seal.ts';

const NUMBER_LENGTH = 16;
const ZERO = 48;

/** A random number under the BIN with its check digit. Only the database knows whether it is new. */
export function randomCardNumber(bin: string): Secret {
  const digits = Buffer.alloc(NUMBER_LENGTH);
  digits.write(bin, 'latin1');
  for (let index = bin.length; index < NUMBER_LENGTH - 1; index++) digits[index] = ZERO + randomInt(10);
  digits.write(luhnCheckDigit(digits.subarray(0, -1)), NUMBER_LENGTH - 1, 'latin1');
  return secret(digits);
}

/**
 * Keyed, since all numbers of a BIN can be tried against an unkeyed hash within seconds. Sandbox and live numbers have
 * keys of their own; two programs with the same BIN share one, so that no number is issued twice.
 */
export function fingerprintOf({ id, key }: DigestKey, number: Secret): Buffer {
  const digits = bytesOf(number);
  const mode = digits.toString('latin1', 0, SANDBOX_PREFIX.length) === SANDBOX_PREFIX ? 'sandbox' : 'live';
  return keyedDigest({ id, key: keyOfScope(key, mode) }, digits);
}

/** Where a number belongs. Not secret. */
export interface NumberRef {
  programId: string;
  cardId: string;
  numberId: string;
}

/** A row of the look-up by number. */
export interface Fingerprint extends NumberRef {
  fingerprint: Buffer;
  /** Proves that the number belongs there: a row moved in the database would charge the wrong card. */
  seal: Buffer;
}

export function fingerprintRow(key: DigestKey, number: Secret, ref: NumberRef): Fingerprint {
  const fingerprint = fingerprintOf(key, number);
  return { fingerprint, ...ref, seal: sealReference(key, fingerprint, ref) };
}

export function isSealed(key: DigestKey, { fingerprint, seal, ...ref }: Fingerprint): boolean {
  const made = sealReference(key, fingerprint, ref);
  return made.length === seal.length && timingSafeEqual(made, seal);
}

/** All parts have a fixed length. */
const sealReference = (
  { key }: DigestKey,
  fingerprint: Buffer,
  { programId, cardId, numberId }: NumberRef,
): Buffer =>
  createHmac('sha256', keyOfScope(key, 'place'))
    .update(fingerprint)
    .update(programId + cardId + numberId)
    .digest();

/** What a CVV depends on. The number's id stands for the number, so that no number need be opened for it. */
export interface CvvInput extends NumberRef {
  expiryDate: string;
  salt: number;
}

export function deriveCvv(key: KeyObject, input: CvvInput): Secret {
  const { programId, cardId, numberId, expiryDate, salt } = input;
  const text = JSON.stringify([programId, cardId, numberId, expiryDate, salt]);
  // Six bytes leave no bias worth the name in a remainder of 1000.
  const mac = createHmac('sha256', keyOfScope(key, programId)).update(text).digest();
  const value = mac.readUIntBE(0, 6) % 1000;
  mac.fill(0);
  return secret(
    Buffer.from([value / 100, (value / 10) % 10, value % 10].map((digit) => ZERO + Math.floor(digit))),
  );
}
