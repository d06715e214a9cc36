import type { Database, Tx } from '../db/database.ts';
import type { Digest } from '../kernel/digest.ts';
import { LOWEST_ID } from '../kernel/ids.ts';
import { linkParts } from './entry.ts';
import { countEntries, findLink, findLost, findStray, listLinks } from './queries.ts';

const LINKS_AT_ONCE = 5_000;
export const ENTRIES_AT_ONCE = 20_000;

/** The end of a chain, to be stored outside the database: a chain that is cut off later no longer matches it. */
export interface Head {
  position: number;
  /** In hex. */
  hash: string;
}

export interface Tampering {
  what: 'changed' | 'missing' | 'added' | 'cut';
  entryId: string | null;
  position: number | null;
}

export interface AuditReport {
  entries: number;
  /** Entries that are not in the chain yet; a worker links them within seconds. */
  waiting: number;
  head: Head | null;
  tampering: Tampering | undefined;
}

/**
 * Reads a program's chain and compares each entry with its link, then searches for entries without a link. An earlier
 * head must still be at its position. All pages are read from one snapshot.
 */
export async function verifyAudit(
  { db, digest }: { db: Database; digest: Digest },
  programId: string,
  earlier: Head | undefined,
  onProgress: (share: number) => void = () => {},
): Promise<AuditReport> {
  return db.snapshot(async (tx) => {
    const { links, waiting } = await countEntries(tx, programId);
    let walked: Walked = { head: null, isEnd: false, tampering: undefined };
    while (!walked.isEnd && !walked.tampering) {
      walked = await walkLinks(tx, digest, programId, walked.head);
      onProgress((walked.head?.position ?? 0) / links);
    }
    const tampering =
      walked.tampering ??
      (await findCut(tx, programId, earlier)) ??
      (await findLoss(tx, programId)) ??
      (await findAddition(tx, programId));
    return { entries: walked.head?.position ?? 0, waiting, head: walked.head, tampering };
  });
}

interface Walked {
  /** The last verified link. */
  head: Head | null;
  isEnd: boolean;
  tampering: Tampering | undefined;
}

/** Verifies a limited number of links after a verified one. */
export async function walkLinks(
  tx: Tx,
  digest: Digest,
  programId: string,
  from: Head | null,
): Promise<Walked> {
  let position = BigInt(from?.position ?? 0);
  let hash: Buffer | undefined = from ? Buffer.from(from.hash, 'hex') : undefined;
  const upTo = (isEnd: boolean, tampering?: Tampering): Walked => ({
    head: hash ? { position: Number(position), hash: hash.toString('hex') } : null,
    ...{ isEnd, tampering },
  });
  const links = await listLinks(tx, programId, position, LINKS_AT_ONCE);
  for (const { entry, ...link } of links) {
    const expected = position + 1n;
    if (link.position !== expected) return upTo(false, found('missing', null, expected));
    if (!entry) return upTo(false, found('missing', link.entryId, expected));
    if (!digest.matches(link.hash, ...linkParts(programId, hash, entry)))
      return upTo(false, found('changed', link.entryId, expected));
    position = expected;
    hash = link.hash;
  }
  return upTo(links.length < LINKS_AT_ONCE);
}

export async function findCut(
  tx: Tx,
  programId: string,
  earlier?: Head | null,
): Promise<Tampering | undefined> {
  if (!earlier) return undefined;
  const link = await findLink(tx, programId, BigInt(earlier.position));
  if (link?.hash.toString('hex') === earlier.hash) return undefined;
  return found('cut', null, BigInt(earlier.position));
}

export async function findLoss(tx: Tx, programId: string): Promise<Tampering | undefined> {
  const entryId = await findLost(tx, programId);
  return entryId ? found('missing', entryId, null) : undefined;
}

async function findAddition(tx: Tx, programId: string): Promise<Tampering | undefined> {
  let after = LOWEST_ID;
  for (;;) {
    const { strayId, lastId } = await findStray(tx, programId, after, ENTRIES_AT_ONCE);
    if (strayId) return found('added', strayId, null);
    if (!lastId) return undefined;
    after = lastId;
  }
}

export const found = (
  what: Tampering['what'],
  entryId: string | null,
  position: bigint | null,
): Tampering => ({
  what,
  entryId,
  position: position === null ? null : Number(position),
});
