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

/** What a key is for. */
export interface KeyUse {
  mode: ProgramMode;
  kind: KeyKind;
}

/** Sandbox and live keys, and merchant and network keys, are told apart at a glance. */
const prefixOf = ({ mode, kind }: KeyUse): string => `emboss_${mode}_${kind}_`;

/** `emboss_live_merchant_` + 40 random characters (238 bits) + checksum: scanners and typing errors are caught early. */
export function generateKey(use: KeyUse): Secret {
  let text = prefixOf(use);
  for (let i = 0; i < RANDOM_LENGTH; i++) text += ALPHABET[randomInt(ALPHABET.length)];
  return secret(text + checksum(text));
}

/**
 * The rule that a key chosen by the operator breaks, in words; undefined: none. It is free text, but one of our own form is
 * whole and made for this use: a live key never becomes a sandbox key.
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
