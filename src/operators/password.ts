import { randomBytes, randomInt, type ScryptOptions, scrypt } from 'node:crypto';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';

/** Each check takes 64 MiB of memory and a moment of one core, for us and for whoever guesses. */
const COST = { N: 65_536, r: 8, p: 2 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
const MOST_MEMORY_BYTES = 256 * 1024 * 1024;
const MOST_WAITING = 8;
const TRY_AGAIN_SECONDS = 5;
const SHORTEST_PASSWORD = 12;
const LONGEST_PASSWORD = 256;

/** Without what looks alike: 0 and O, 1, l and I. */
const ALPHABET = '23456789abcdefghijkmnpqrstuvwxyz';
const GENERATED_GROUPS = 5;
const GENERATED_GROUP_LENGTH = 4;

/** Twenty characters, 100 bits, in groups that can be read out. */
export function generatePassword(): Secret {
  const group = () =>
    Array.from({ length: GENERATED_GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return secret(Array.from({ length: GENERATED_GROUPS }, group).join('-'));
}

export function checkNewPassword(field: string, password: Secret, email: string): void {
  const text = reveal(password);
  if (text.length < SHORTEST_PASSWORD || text.length > LONGEST_PASSWORD)
    throw invalid(field, `must be ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`);
  if (text.toLowerCase().includes(email)) throw invalid(field, 'must not contain the e-mail address');
  if (new Set(text).size < 5) throw invalid(field, 'must have at least 5 different characters');
}

export interface Passwords {
  /**
   * For whoever comes from outside: a place in the queue, or a refusal while it is full. It is asked for before anything
   * is counted, so that a crowd locks nobody out. Gives back what must be called in the end.
   */
  enter(): () => void;
  /** What is kept of a password: how it was made, and its result under the vault's key. */
  hash(operatorId: string, password: Secret): Promise<string>;
  /** Takes as long whether or not there is such an operator. */
  matches(operator: { id: string; password: string } | undefined, given: Secret): Promise<boolean>;
}

/** What is kept says how it was made, so that a later cost can be another one. */
export function createPasswords(digest: Digest, cost: ScryptOptions = COST): Passwords {
  const derive = oneAtATime();
  let inside = 0;
  const parts = (operatorId: string, hash: Buffer) => ['operator-password', operatorId, hash.toString('hex')];
  return {
    enter: () => {
      if (inside >= MOST_WAITING)
        throw new EmbossError(429, 'Too many people are signing in at this moment; try again shortly', {
          retryAfterSeconds: TRY_AGAIN_SECONDS,
        });
      inside++;
      return () => {
        inside--;
      };
    },
    hash: async (operatorId, password) => {
      const salt = randomBytes(SALT_BYTES);
      const hash = await derive(password, salt, cost);
      const { N, r, p } = cost;
      const peppered = digest(...parts(operatorId, hash)).toString('base64');
      return ['scrypt', N, r, p, salt.toString('base64'), peppered].join('$');
    },
    matches: async (operator, given) => {
      const [, N, r, p, salt, expected] = operator?.password.split('$') ?? [];
      const itsCost = operator ? { N: Number(N), r: Number(r), p: Number(p) } : cost;
      const hash = await derive(given, Buffer.from(salt ?? '', 'base64'), itsCost);
      return digest.matches(Buffer.from(expected ?? '', 'base64'), ...parts(operator?.id ?? '', hash));
    },
  };
}

/** What a kept password was peppered to: it names the vault's key. */
export const pepperedOf = (password: string): Buffer => Buffer.from(password.split('$')[5] ?? '', 'base64');

/** However many knock at once, they share the memory of one. */
function oneAtATime(): typeof derive {
  let last: Promise<unknown> = Promise.resolve();
  return (...given) => {
    const turn = last.then(() => derive(...given));
    last = turn.catch(() => {});
    return turn;
  };
}

const derive = (password: Secret, salt: Buffer, cost: ScryptOptions): Promise<Buffer> =>
  new Promise((done, failed) => {
    const text = reveal(password).normalize('NFKC');
    scrypt(text, salt, HASH_BYTES, { ...cost, maxmem: MOST_MEMORY_BYTES }, (error, hash) =>
      error ? failed(error) : done(hash),
    );
  });
