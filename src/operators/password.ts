import { isAscii } from 'node:buffer';
import { randomBytes, randomInt, type ScryptOptions, scrypt } from 'node:crypto';
import { limitFunction } from 'p-limit';
import type { Digest } from '../kernel/digest.ts';
import { invalid } from '../kernel/error.ts';
import { bytesOf, reveal, type Secret, secret } from '../kernel/secret.ts';
import { isCommonPassword } from './common-passwords.ts';

/** Each check takes 64 MiB of memory and a part of a second of one core, for the server and for an attacker. */
const COST = { N: 65_536, r: 8, p: 2 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
const MOST_MEMORY_BYTES = 256 * 1024 * 1024;
const SHORTEST_PASSWORD = 12;
const LONGEST_PASSWORD = 256;

/** Without characters that look alike: 0 and O, 1, l and I. */
const ALPHABET = '23456789abcdefghijkmnpqrstuvwxyz';
const GENERATED_GROUPS = 5;
const GENERATED_GROUP_LENGTH = 4;

const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;

/** Random characters that do not look alike, 5 bits each, in groups that are easy to read out. */
export function randomGroups(groups: number, length: number): string {
  const group = () => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/** Twenty characters, 100 bits. */
export function generatePassword(): Secret {
  for (;;) {
    const text = randomGroups(GENERATED_GROUPS, GENERATED_GROUP_LENGTH);
    if (LETTER.test(text) && DIGIT.test(text)) return secret(text);
  }
}

export function checkNewPassword(field: string, password: Secret, email: string): void {
  const text = reveal(password);
  if (text.length < SHORTEST_PASSWORD || text.length > LONGEST_PASSWORD)
    throw invalid(field, `must be ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`);
  if (!LETTER.test(text) || !DIGIT.test(text)) throw invalid(field, 'must have letters and digits');
  if (text.toLowerCase().includes(email)) throw invalid(field, 'must not contain the e-mail address');
  if (new Set(text).size < 5) throw invalid(field, 'must have at least 5 different characters');
  if (isCommonPassword(text)) throw invalid(field, 'is one of the most common passwords; choose another');
}

export interface Passwords {
  /** The text to store: the parameters and the salt of the hash, and the result under the vault's key. */
  hash(operatorId: string, password: Secret): Promise<string>;
  /** Takes the same time whether or not the operator exists and has a password. */
  matches(operator: { id: string; password: string } | undefined, given: Secret): Promise<boolean>;
}

/** The stored text contains the cost, so that the cost of new passwords can change later. */
export function createPasswords(digest: Digest, cost: ScryptOptions = COST): Passwords {
  // One at a time, so that concurrent sign-ins need the memory of only one.
  const deriveOne = limitFunction(derive, { concurrency: 1 });
  const parts = (operatorId: string, hash: Buffer) => ['operator-password', operatorId, hash.toString('hex')];
  return {
    hash: async (operatorId, password) => {
      const salt = randomBytes(SALT_BYTES);
      const hash = await deriveOne(password, salt, cost);
      const { N, r, p } = cost;
      const peppered = digest(...parts(operatorId, hash)).toString('base64');
      return ['scrypt', N, r, p, salt.toString('base64'), peppered].join('$');
    },
    matches: async (operator, given) => {
      const [, N, r, p, salt, expected] = operator?.password.split('$') ?? [];
      const itsCost = salt !== undefined ? { N: Number(N), r: Number(r), p: Number(p) } : cost;
      const hash = await deriveOne(given, Buffer.from(salt ?? '', 'base64'), itsCost);
      return digest.matches(Buffer.from(expected ?? '', 'base64'), ...parts(operator?.id ?? '', hash));
    },
  };
}

/** The keyed digest in a stored password. It begins with the id of the vault's key. */
export const pepperedOf = (password: string): Buffer => Buffer.from(password.split('$')[5] ?? '', 'base64');

const derive = (password: Secret, salt: Buffer, cost: ScryptOptions): Promise<Buffer> =>
  new Promise((done, failed) => {
    const bytes = bytesOf(password);
    // Only characters beyond ASCII need Unicode normalization, which needs a string.
    const given = isAscii(bytes) ? bytes : reveal(password).normalize('NFKC');
    scrypt(given, salt, HASH_BYTES, { ...cost, maxmem: MOST_MEMORY_BYTES }, (error, hash) =>
      error ? failed(error) : done(hash),
    );
  });
