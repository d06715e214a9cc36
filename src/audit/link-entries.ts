import type { Database, Tx } from '../db/database.ts';
import type { Digest } from '../kernel/digest.ts';
import { LOWEST_ID } from '../kernel/ids.ts';
import { type Link, linkParts } from './entry.ts';
import { findLastLink, findUnlinkedProgram, insertLinks, listEntries, takeUnlinked } from './queries.ts';

const AT_ONCE = 500;

/**
 * Adds what was written since to the chain of each program. Not in the transaction that writes an entry: there all who
 * change anything in a program would wait for one another, and the card that must be blocked now with them.
 */
export async function linkEntries(
  { db, digest }: { db: Database; digest: Digest },
  isStopping: () => boolean,
): Promise<void> {
  let programId = await findUnlinkedProgram(db, LOWEST_ID);
  if (programId) await digest.refresh();
  while (programId && !isStopping()) {
    const id = programId;
    const linked = await db.transaction((tx) => linkSome(tx, digest, id));
    if (linked < AT_ONCE) programId = await findUnlinkedProgram(db, id);
  }
}

async function linkSome(tx: Tx, digest: Digest, programId: string): Promise<number> {
  // Another worker that does the same waits here for us, and goes on where we end.
  const ids = await takeUnlinked(tx, programId, AT_ONCE);
  const last = await findLastLink(tx, programId);
  const entries = new Map((await listEntries(tx, programId, ids)).map((entry) => [entry.id, entry]));
  const links: Link[] = [];
  for (const entryId of ids.sort()) {
    const before = links.at(-1) ?? last;
    const position = (before?.position ?? 0n) + 1n;
    // One that is gone by now keeps its place in the chain, so that it is missed.
    const hash = digest(...linkParts(programId, before?.hash, entries.get(entryId)));
    links.push({ position, entryId, hash });
  }
  insertLinks(tx, programId, links);
  return links.length;
}
