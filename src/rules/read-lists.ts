import type { Database } from '../db/database.ts';
import { notFound } from '../kernel/error.ts';
import type { Actor } from '../programs/actor.ts';
import { BUILT_IN_LISTS } from './language/built-in-lists.ts';
import { listLists } from './list-queries.ts';
import { openValues, type RuleKeeper } from './stored-documents.ts';
import { builtInLists, type PresentedList, presentList } from './value-list.ts';

/** The merchant's lists by their names, then those that are shipped. */
export async function readLists(db: Database, { program }: Actor): Promise<PresentedList[]> {
  const own = await listLists(db, program.id);
  return [...own.map(presentList), ...builtInLists()];
}

export async function retrieveList(
  { db, keeper }: { db: Database; keeper: RuleKeeper },
  actor: Actor,
  name: string,
): Promise<PresentedList & { values: string[] }> {
  const { id: programId } = actor.program;
  const shipped = BUILT_IN_LISTS.get(name);
  const presented = builtInLists().find((list) => list.name === name);
  if (shipped && presented) return { ...presented, values: [...shipped.values] };
  const own = (await listLists(db, programId)).find((list) => list.name === name);
  if (!own) throw notFound();
  const values = (await openValues(keeper, db, programId, [own.id])).get(own.id);
  return { ...presentList(own), values: values ?? [] };
}
