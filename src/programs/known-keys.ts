import type { Database } from '../db/database.ts';
import { hashText } from './api-key.ts';
import type { KeyKind } from './program.ts';
import { listKeyHashes } from './queries.ts';

const READ_EVERY_MS = 1_000;

/**
 * Tells the keys that may be right from those that are certainly wrong. It is asked about addresses from which too many
 * wrong ones came, and reads the list once a second at most, however many are tried: the database feels nothing of
 * them, and whoever shares the address and has a right key is let in all the same.
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
