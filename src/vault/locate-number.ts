import type { Database } from '../db/database.ts';
import { gather } from '../kernel/gather.ts';
import { findFingerprints } from './queries.ts';

export interface NumberPlace {
  programId: string;
  cardId: string;
  numberId: string;
}

/** Enough for a busy hour of a large program, some 20 MB. */
const REMEMBERED = 100_000;

/**
 * Looks fingerprints up, those that arrive together in one read. What was found is proven once and remembered: such a
 * row never changes. What was not found is asked again, since the number may be given out at any time.
 */
export function createLocator(
  db: Database,
  prove: (fingerprint: Buffer, place: NumberPlace) => Promise<void>,
): (fingerprint: Buffer) => Promise<NumberPlace | undefined> {
  const known = new Map<string, NumberPlace>();
  const find = gather(async (fingerprints: Buffer[]) => {
    const found = new Map<string, NumberPlace>();
    for (const { fingerprint, ...place } of await findFingerprints(db, fingerprints))
      found.set(fingerprint.toString('latin1'), place);
    return fingerprints.map((fingerprint) => found.get(fingerprint.toString('latin1')));
  });

  return async (fingerprint) => {
    const key = fingerprint.toString('latin1');
    const remembered = known.get(key);
    if (remembered) return remembered;
    const place = await find(fingerprint);
    if (place) {
      await prove(fingerprint, place);
      // The oldest goes; a map keeps the order of arrival.
      if (known.size >= REMEMBERED) known.delete(known.keys().next().value as string);
      known.set(key, place);
    }
    return place;
  };
}
