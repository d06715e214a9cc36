import type { Queryable } from '../db/database.ts';
import { EmbossError } from '../kernel/error.ts';
import { type Actor, readActor } from '../programs/actor.ts';
import type { ApiKey, Program } from '../programs/program.ts';
import { findKeysByIdOrHint, listPrograms } from '../programs/queries.ts';
import { missing } from './failure.ts';
import { cliIdentity } from './session.ts';

export const PROGRAM = ['--program <id or name>', 'required if there is more than one program'] as const;

/** Finds a program by id or name; without either, the only program. */
export async function selectProgram(db: Queryable, wanted: string | undefined): Promise<Program> {
  const programs = await listPrograms(db);
  if (programs.length === 0) throw missing('program yet', 'create one with "emboss program create"');
  const sameName = ({ name }: Program) => name.toLowerCase() === wanted?.toLowerCase();
  const byId = programs.filter(({ id }) => id === wanted);
  const found = wanted === undefined ? programs : byId.length > 0 ? byId : programs.filter(sameName);
  if (found.length > 1)
    throw ambiguous(
      wanted === undefined
        ? 'Several programs exist; specify one by id or name'
        : `Several programs are named "${wanted}"`,
      found.map(({ id, name }) => `${id} (${name})`),
    );
  if (!found[0]) throw missing(`program "${wanted}"`, 'see "emboss program list"');
  return found[0];
}

/** The user of the command line as an actor of the selected program. */
export const selectActor = async (db: Queryable, wanted: string | undefined): Promise<Actor> =>
  readActor(db, cliIdentity(), (await selectProgram(db, wanted)).id);

/** Finds a key by its id or its hint, with or without the leading dots. */
export async function selectKey(db: Queryable, wanted: string): Promise<ApiKey> {
  const found = await findKeysByIdOrHint(db, wanted);
  if (found.length > 1)
    throw ambiguous(
      `Several keys end in "${wanted}"`,
      found.map(({ id, name }) => `${id} (${name})`),
    );
  if (!found[0]) throw missing(`key "${wanted}"`, 'see "emboss key list"');
  return found[0];
}

const ambiguous = (what: string, candidates: string[]): EmbossError =>
  new EmbossError(409, `${what}:\n  ${candidates.join('\n  ')}`);
