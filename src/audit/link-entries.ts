import type { Database, Tx } from '../db/database.ts';
import type { Digest } from '../kernel/digest.ts';
import { type Link, linkParts } from './entry.ts';
import { findLastLink, insertLinks, listEntries, listUnlinkedPrograms, takeUnlinked } from './queries.ts';

const AT_ONCE = 500;

interface Linking {
  db: Database;
  digest: Digest;
  /** Called in the transaction that links entries of a program. */
  onLinked?: (tx: Tx, programId: string) => Promise<void>;
}

/** For `jobs/`. */
export const auditLinks = (linking: Linking) => ({
  name: 'audit-links',
  everyMs: 1_000,
  atOnce: 2,
  findDue: (programId?: string) => listUnlinkedPrograms(linking.db, programId),
  work: ({ programId }: { programId: string }, { deadline }: { deadline: number }) =>
    linkEntries(linking, programId, deadline),
});

/**
 * Adds new entries to the chain of a program. This is not part of the transaction that writes an entry: all changes
 * in a program would then wait for one another, including the block of a card. Stops at `deadline`. True: there are more.
 */
async function linkEntries(
  { db, digest, onLinked = async () => {} }: Linking,
  programId: string,
  deadline = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  await digest.refresh();
  let linked: number;
  do {
    linked = await db.transaction(async (tx) => {
      const count = await linkSome(tx, digest, programId);
      if (count > 0) await onLinked(tx, programId);
      return count;
    });
  } while (linked === AT_ONCE && performance.now() < deadline);
  return linked === AT_ONCE;
}

async function linkSome(tx: Tx, digest: Digest, programId: string): Promise<number> {
  // A concurrent worker waits here for this transaction and continues after its entries.
  const ids = await takeUnlinked(tx, programId, AT_ONCE);
  const last = await findLastLink(tx, programId);
  const entries = new Map((await listEntries(tx, programId, ids)).map((entry) => [entry.id, entry]));
  const links: Link[] = [];
  for (const entryId of ids.sort()) {
    const before = links.at(-1) ?? last;
    const position = (before?.position ?? 0n) + 1n;
    // An entry that was deleted meanwhile still gets a position, so that the verification reports it as missing.
    const hash = digest(...linkParts(programId, before?.hash, entries.get(entryId)));
    links.push({ position, entryId, hash });
  }
  insertLinks(tx, programId, links);
  return links.length;
}
