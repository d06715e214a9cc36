import type { Database, Tx } from '../db/database.ts';
import type { Digest } from '../kernel/digest.ts';
import { LOWEST_ID } from '../kernel/ids.ts';
import { type Link, linkParts } from './entry.ts';
import { countEntries, findLink, findLost, findStray, listLinks } from './queries.ts';

const LINKS_AT_ONCE = 5_000;
const ENTRIES_AT_ONCE = 20_000;

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
    const walked = await walkChain(tx, digest, programId, (position) => onProgress(position / links));
    const tampering =
      walked.tampering ??
      (await findCut(tx, programId, earlier)) ??
      (await findLoss(tx, programId)) ??
      (await findAddition(tx, programId));
    return { entries: walked.entries, waiting, head: walked.head, tampering };
  });
}

async function walkChain(
  tx: Tx,
  digest: Digest,
  programId: string,
  onPosition: (position: number) => void,
): Promise<Pick<AuditReport, 'entries' | 'head' | 'tampering'>> {
  let last: Link | undefined;
  const upTo = (tampering?: Tampering) => ({
    entries: Number(last?.position ?? 0n),
    head: last ? { position: Number(last.position), hash: last.hash.toString('hex') } : null,
    tampering,
  });
  for (;;) {
    const links = await listLinks(tx, programId, last?.position ?? 0n, LINKS_AT_ONCE);
    if (links.length === 0) return upTo();
    for (const { entry, ...link } of links) {
      const expected = (last?.position ?? 0n) + 1n;
      if (link.position !== expected) return upTo(found('missing', null, expected));
      if (!entry) return upTo(found('missing', link.entryId, expected));
      if (!digest.matches(link.hash, ...linkParts(programId, last?.hash, entry)))
        return upTo(found('changed', link.entryId, expected));
      last = link;
    }
    onPosition(Number(last?.position ?? 0n));
  }
}

async function findCut(tx: Tx, programId: string, earlier?: Head): Promise<Tampering | undefined> {
  if (!earlier) return undefined;
  const link = await findLink(tx, programId, BigInt(earlier.position));
  if (link?.hash.toString('hex') === earlier.hash) return undefined;
  return found('cut', null, BigInt(earlier.position));
}

async function findLoss(tx: Tx, programId: string): Promise<Tampering | undefined> {
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

const found = (what: Tampering['what'], entryId: string | null, position: bigint | null): Tampering => ({
  what,
  entryId,
  position: position === null ? null : Number(position),
});
