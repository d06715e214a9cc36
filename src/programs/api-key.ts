import { createHash, randomInt } from 'node:crypto';
import type { Digest } from '../kernel/digest.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';
import type { KeyKind } from './program.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 8;
const OURS = new RegExp(
  `^emboss_(?:merchant|network)_[0-9A-Za-z]{${RANDOM_LENGTH}}([0-9a-f]{${CHECKSUM_LENGTH}})$`,
);
const CHOSEN = /^[\x21-\x7e][\x20-\x7e]{14,1022}[\x21-\x7e]$/;
/** The rule that `isAcceptableKey` checks, in words. */
export const ACCEPTABLE_KEY = '16 to 1024 printable ASCII characters, without a space at either end';

/** `emboss_merchant_` + 40 random characters (238 bits) + checksum: scanners and typing errors are caught early. */
export function generateKey(kind: KeyKind): Secret {
  let text = `emboss_${kind}_`;
  for (let i = 0; i < RANDOM_LENGTH; i++) text += ALPHABET[randomInt(ALPHABET.length)];
  return secret(text + checksum(text));
}

/** A key that carries our form but a wrong checksum was mistyped or cut. */
function isDamaged(key: Secret): boolean {
  const found = OURS.exec(reveal(key))?.[1];
  return found !== undefined && found !== checksum(reveal(key).slice(0, -CHECKSUM_LENGTH));
}

/** Keys chosen by the operator for the sandbox: 16 or more printable characters. */
export const isAcceptableKey = (key: Secret): boolean => CHOSEN.test(reveal(key)) && !isDamaged(key);

/** What is kept of a key. */
export const hashKey = (digest: Digest, key: Secret): Buffer => digest('api-key', reveal(key));

/** How a request finds its key's row, in one read, whichever of the vault's keys it was hashed with. */
export const hashesOfKey = (digest: Digest, key: Secret): Buffer[] => digest.all('api-key', reveal(key));

/** For looking one up in memory. */
export const hashText = (hash: Buffer): string => hash.toString('latin1');

/** Binds a key to what it may do: a row written or altered past us is not believed. */
export const sealRights = (digest: Digest, hash: Buffer, rights: KeyRights): Buffer =>
  digest(...rightsParts(hash, rights));

export const isRightsSeal = (digest: Digest, seal: Buffer, hash: Buffer, rights: KeyRights): boolean =>
  digest.matches(seal, ...rightsParts(hash, rights));

interface KeyRights {
  programId: string;
  kind: KeyKind;
  scopes: readonly string[];
}

const rightsParts = (hash: Buffer, { programId, kind, scopes }: KeyRights): string[] => [
  'api-key-rights',
  hash.toString('hex'),
  programId,
  kind,
  ...scopes,
];

/** Enough to recognise a key in a list. */
export const keyHint = (key: Secret): string => `…${reveal(key).slice(-4)}`;

const checksum = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, CHECKSUM_LENGTH);
