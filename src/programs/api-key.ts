import { createHash, randomInt } from 'node:crypto';
import type { Digest } from '../kernel/digest.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';
import type { KeyKind, ProgramMode } from './program.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 8;
const OURS = new RegExp(
  `^(emboss_(?:sandbox|live)_(?:merchant|network)_)[0-9A-Za-z]{${RANDOM_LENGTH}}([0-9a-f]{${CHECKSUM_LENGTH}})$`,
);
const CHOSEN = /^[\x21-\x7e][\x20-\x7e]{14,1022}[\x21-\x7e]$/;

/** The mode of the program and the kind of API that a key is for. */
export interface KeyUse {
  mode: ProgramMode;
  kind: KeyKind;
}

/** The prefix shows whether a key is for sandbox or live programs, and for merchants or the network. */
const prefixOf = ({ mode, kind }: KeyUse): string => `emboss_${mode}_${kind}_`;

/** `emboss_live_merchant_` + 40 random characters (238 bits) + checksum, for secret scanners and typing errors. */
export function generateKey(use: KeyUse): Secret {
  let text = prefixOf(use);
  for (let i = 0; i < RANDOM_LENGTH; i++) text += ALPHABET[randomInt(ALPHABET.length)];
  return secret(text + checksum(text));
}

/**
 * The rule that a chosen key breaks; undefined if it breaks none. The text is free, but a key in the generated format
 * must have a valid checksum and the right mode and kind: a live key never becomes a sandbox key.
 */
export function chosenKeyFault(key: Secret, use: KeyUse): string | undefined {
  const text = reveal(key);
  if (!CHOSEN.test(text))
    return 'must be 16 to 1024 printable ASCII characters, without a space at either end';
  const [, prefix, sum] = OURS.exec(text) ?? [];
  if (prefix === undefined) return undefined;
  if (prefix !== prefixOf(use)) return `must not be a key of another type: it begins with ${prefix}`;
  if (sum !== checksum(text.slice(0, -CHECKSUM_LENGTH)))
    return 'has a wrong checksum: it was mistyped or truncated';
  return undefined;
}

/** The stored hash of a key. */
export const hashKey = (digest: Digest, key: Secret): Buffer => digest('api-key', reveal(key));

/** The hashes of a key under every live key of the vault, so that one query finds its row. */
export const hashesOfKey = (digest: Digest, key: Secret): Buffer[] => digest.all('api-key', reveal(key));

/** The hash as a key for maps and sets in memory. */
export const hashText = (hash: Buffer): string => hash.toString('latin1');

/** Binds a key to its rights, so that a row written or changed directly in the database is refused. */
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

/** The last four characters, to recognise a key in a list. */
export const keyHint = (key: Secret): string => `…${reveal(key).slice(-4)}`;

const checksum = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, CHECKSUM_LENGTH);
