import type { Database } from '../db/database.ts';
import type { DigestKey } from '../kernel/digest.ts';
import { gather } from '../kernel/gather.ts';
import { isSealed, type NumberRef } from './card-number.ts';
import { findFingerprints } from './queries.ts';

/** Enough for a busy hour of a large program, some 20 MB. */
const REMEMBERED = 100_000;

/**
 * Looks up fingerprints, concurrent ones in one read. Found rows are cached, because they never change. Missing ones are
 * not, because the number may be issued at any time.
 */
export function createLocator(
  db: Database,
): (key: DigestKey, fingerprint: Buffer) => Promise<NumberRef | undefined> {
  const known = new Map<string, NumberRef>();
  const find = gather(async (fingerprints: Buffer[]) => {
    const rows = await findFingerprints(db, fingerprints);
    const byFingerprint = new Map(rows.map((row) => [textOf(row.fingerprint), row]));
    return fingerprints.map((fingerprint) => byFingerprint.get(textOf(fingerprint)));
  });

  return async (key, fingerprint) => {
    const text = textOf(fingerprint);
    const remembered = known.get(text);
    if (remembered) return remembered;
    const row = await find(fingerprint);
    if (!row) return undefined;
    const { programId, cardId, numberId } = row;
    if (!isSealed(key, row))
      throw new Error(`vault: the fingerprint of number ${numberId} was altered or moved`);
    // Evicts the oldest: a Map keeps insertion order.
    if (known.size >= REMEMBERED) known.delete(known.keys().next().value as string);
    const ref = { programId, cardId, numberId };
    known.set(text, ref);
    return ref;
  };
}

const textOf = (fingerprint: Buffer): string => fingerprint.toString('latin1');
