import type { Entry } from '../../audit/entry.ts';
import type { Queryable } from '../../db/database.ts';
import { isId } from '../../kernel/ids.ts';
import { findKeyNames } from '../../programs/queries.ts';
import { type ActorName, parseActor, presentEntry } from './entry.ts';

/** Parses actors of the audit. An API key gets its name in place of its id. */
export async function nameActors(
  db: Queryable,
  programId: string,
  actors: readonly string[],
): Promise<ActorName[]> {
  const parsed = actors.map(parseActor);
  const keyIds = parsed.filter(({ kind }) => kind === 'key').map(({ name }) => name);
  const keyNames = await findKeyNames(db, programId, [...new Set(keyIds)].filter(isId));
  return parsed.map(({ kind, name }) => ({ kind, name: (kind === 'key' && keyNames.get(name)) || name }));
}

/** Audit entries with the names of their actors. */
export async function presentEntries(db: Queryable, programId: string, entries: readonly Entry[]) {
  const actors = await nameActors(
    db,
    programId,
    entries.map(({ actor }) => actor),
  );
  return entries.map((entry, index) => presentEntry(entry, actors[index] as ActorName));
}
