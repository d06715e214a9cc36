import type { Database } from '../db/database.ts';
import { hashText } from './api-key.ts';
import type { KeyKind } from './program.ts';
import { listKeyHashes } from './queries.ts';

const READ_EVERY_MS = 1_000;

/**
 * Separates keys that may be valid from keys that are certainly wrong. The authenticator uses it for addresses that
 * sent too many wrong keys. It reads the list of key hashes at most once a second, so that wrong keys add hardly any
 * load to the database, while valid keys from the same address are still accepted.
 */
export function createKnownKeys(
  db: Database,
  kind: KeyKind,
): (hashes: readonly Buffer[]) => Promise<boolean> {
  let known = new Set<string>();
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    readAtMs = performance.now();
    known = new Set((await listKeyHashes(db, kind)).map(hashText));
  }

  return async (hashes) => {
    const isKnown = () => hashes.some((hash) => known.has(hashText(hash)));
    if (isKnown()) return true;
    if (!reading && performance.now() - readAtMs < READ_EVERY_MS) return false;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    await reading;
    return isKnown();
  };
}
