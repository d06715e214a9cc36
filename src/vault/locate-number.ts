import type { Database } from '../db/database.ts';
import { gather } from '../kernel/gather.ts';
import { type Secret, wipe } from '../kernel/secret.ts';
import { type FoundNumber, findFingerprints } from './queries.ts';

export type NumberPlace = Omit<FoundNumber, 'fingerprint'>;

/** Enough for a busy hour of a large program, some 20 MB. */
const REMEMBERED = 100_000;

/** A fingerprint moved in the database would charge the wrong card, so the sealed number is checked too. */
export interface SealedNumbers {
  isFingerprintOf(fingerprint: Buffer, number: Secret): boolean;
  /** Opens numbers of one program, in the given order. A number that does not open fails alone. */
  open(programId: string, places: readonly NumberPlace[]): Promise<Array<Promise<Secret>>>;
}

/**
 * Looks up fingerprints, concurrent ones in one read, and verifies them in another. Found rows are cached, because they
 * never change. Missing ones are not, because the number may be issued at any time.
 */
export function createLocator(
  db: Database,
  numbers: SealedNumbers,
): (fingerprint: Buffer) => Promise<NumberPlace | undefined> {
  const known = new Map<string, NumberPlace>();
  const find = gather(async (fingerprints: Buffer[]) => {
    const found = await findFingerprints(db, fingerprints);
    const proven = new Map<string, Promise<NumberPlace>>();
    const programIds = [...new Set(found.map(({ programId }) => programId))];
    await Promise.all(
      programIds.map(async (programId) => {
        const rows = found.filter((row) => row.programId === programId);
        const opened = await numbers.open(programId, rows);
        for (const [place, row] of rows.entries()) {
          const proof = prove(row, opened[place] as Promise<Secret>);
          // If another program's read fails, this promise has no reader.
          proof.catch(() => {});
          proven.set(textOf(row.fingerprint), proof);
        }
      }),
    );
    return fingerprints.map((fingerprint) => proven.get(textOf(fingerprint)));
  });

  async function prove(
    { fingerprint, ...place }: FoundNumber,
    opened: Promise<Secret>,
  ): Promise<NumberPlace> {
    const number = await opened;
    const isOurs = numbers.isFingerprintOf(fingerprint, number);
    wipe(number);
    if (!isOurs) throw new Error(`vault: the fingerprint of number ${place.numberId} was altered or moved`);
    return place;
  }

  return async (fingerprint) => {
    const key = textOf(fingerprint);
    const remembered = known.get(key);
    if (remembered) return remembered;
    const place = await find(fingerprint);
    if (place) {
      // Evicts the oldest: a Map keeps insertion order.
      if (known.size >= REMEMBERED) known.delete(known.keys().next().value as string);
      known.set(key, place);
    }
    return place;
  };
}

const textOf = (fingerprint: Buffer): string => fingerprint.toString('latin1');
