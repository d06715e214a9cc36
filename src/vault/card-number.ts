import { createHmac, type KeyObject, randomInt } from 'node:crypto';
import { type DigestKey, keyedDigest } from '../kernel/digest.ts';
import { luhnCheckDigit } from '../kernel/luhn.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';

const NUMBER_LENGTH = 16;

/** A random number under the BIN with its check digit. Whether it is new, only the database can tell. */
export function randomCardNumber(bin: string): Secret {
  const width = NUMBER_LENGTH - bin.length - 1;
  const account = String(randomInt(10 ** width)).padStart(width, '0');
  return secret(bin + account + luhnCheckDigit(bin + account));
}

/** Keyed, since all numbers of a BIN can be tried against an unkeyed hash within seconds. */
export const fingerprintOf = (key: DigestKey, number: Secret): Buffer => keyedDigest(key, reveal(number));

/** What a CVV depends on. The number's id stands for the number, so that no number need be opened for it. */
export interface CvvInput {
  programId: string;
  cardId: string;
  numberId: string;
  expiryDate: string;
  salt: number;
}

export function deriveCvv(key: KeyObject, input: CvvInput): Secret {
  const { programId, cardId, numberId, expiryDate, salt } = input;
  const text = JSON.stringify([programId, cardId, numberId, expiryDate, salt]);
  // Six bytes leave no bias worth the name in a remainder of 1000.
  const value = createHmac('sha256', key).update(text).digest().readUIntBE(0, 6);
  return secret(String(value % 1000).padStart(3, '0'));
}
