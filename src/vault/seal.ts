import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { encodeKeyId } from '../kernel/digest.ts';

/**
 * Sealed bytes: key id (4), nonce (12), tag (16), ciphertext. `binding` names the row they belong to and is authenticated
 * with them, so they open nowhere else. Its first part is the program and selects the derived key.
 */
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES;

/**
 * What a data key is for. One key never serves two purposes.
 * - `card-number`, `personal-data`: seal records.
 * - `fingerprint`, `search`: the look-ups by card number, and by name and customer id.
 * - `cvv`: CVVs are derived with it.
 * - `digest`: values that grant access or exist for a day at most: API keys, operators, sessions, links, Idempotency-Keys.
 * - `history`: values that must be verified for ever: contents of network messages, the audit chain.
 */
export const PURPOSES = [
  'card-number',
  'personal-data',
  'fingerprint',
  'cvv',
  'digest',
  'search',
  'history',
] as const;
export type Purpose = (typeof PURPOSES)[number];

export interface DataKey {
  readonly id: number;
  readonly key: KeyObject;
}

/** More programs than this at once are rare; deriving a key again costs 10 microseconds. */
const DERIVED_KEYS = 1_000;
const derived = new WeakMap<KeyObject, Map<string, KeyObject>>();

/** The key of one scope, usually a program. No two scopes share a key, and none can be computed from another. */
export function keyOfScope(key: KeyObject, scope: string): KeyObject {
  const keys = derived.get(key) ?? new Map<string, KeyObject>();
  derived.set(key, keys);
  const known = keys.get(scope);
  if (known) return known;
  if (keys.size >= DERIVED_KEYS) keys.clear();
  const bytes = Buffer.from(hkdfSync('sha256', key, '', scope, 32));
  const own = createSecretKey(bytes);
  bytes.fill(0);
  keys.set(scope, own);
  return own;
}

const sealingKey = (key: KeyObject, binding: readonly string[]): KeyObject =>
  keyOfScope(key, binding[0] ?? '');

export function seal({ id, key }: DataKey, binding: readonly string[], plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(key, binding), nonce).setAAD(
    associatedData(id, binding),
  );
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([encodeKeyId(id), nonce, cipher.getAuthTag(), ciphertext]);
}

/** Throws when the bytes were altered, moved, or sealed under another key. There is no other copy of what it returns. */
export function unseal({ id, key }: DataKey, binding: readonly string[], sealed: Buffer): Buffer {
  if (sealedKeyId(sealed) !== id) throw new Error('sealed under another key');
  const nonce = sealed.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES);
  const tag = sealed.subarray(KEY_ID_BYTES + NONCE_BYTES, HEADER_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(key, binding), nonce, {
    authTagLength: TAG_BYTES,
  })
    .setAAD(associatedData(id, binding))
    .setAuthTag(tag);
  const plain = decipher.update(sealed.subarray(HEADER_BYTES));
  try {
    // GCM has returned the whole text by now; this verifies the tag.
    decipher.final();
    return plain;
  } catch (error) {
    plain.fill(0);
    throw error;
  }
}

export function sealedKeyId(sealed: Buffer): number {
  if (sealed.length < HEADER_BYTES) throw new Error('sealed bytes are too short');
  return sealed.readUInt32BE(0);
}

/** Compares the key id only; opening verifies it. */
export const isSealedUnder = ({ id }: DataKey, sealed: Buffer): boolean =>
  sealed.subarray(0, KEY_ID_BYTES).equals(encodeKeyId(id));

/** As a JSON list, so that no two bindings have the same bytes. */
function associatedData(keyId: number, binding: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify([keyId, ...binding]));
}
