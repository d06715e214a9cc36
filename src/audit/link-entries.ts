import type { Database, Tx } from '../db/database.ts';
import type { Digest } from '../kernel/digest.ts';
import { type Link, linkParts } from './entry.ts';
import { findLastLink, insertLinks, listEntries, listUnlinkedPrograms, takeUnlinked } from './queries.ts';

const AT_ONCE = 500;

interface Linking {
  db: Database;
  digest: Digest;
  /** All that have a chain. */
  listIds?: () => Promise<readonly string[]>;
}

/**
 * Adds new entries to the chain of each program. This is not part of the transaction that writes an entry: all changes
 * in a program would then wait for one another, including the block of a card.
 */
export async function linkEntries(
  { db, digest, listIds = async () => [] }: Linking,
  isStopping: () => boolean,
): Promise<void> {
  const { rows: programs } = await db.eachProgram(listIds, (id) => listUnlinkedPrograms(db, id));
  if (programs.length > 0) await digest.refresh();
  for (const id of programs)
    while (!isStopping() && (await db.transaction((tx) => linkSome(tx, digest, id))) === AT_ONCE);
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
