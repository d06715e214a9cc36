import type { CardAuthentication } from '../../authentications/authentication.ts';
import { findAuthenticationsById } from '../../authentications/queries.ts';
import type { Database } from '../../db/database.ts';
import { notFound } from '../../kernel/error.ts';
import { gather } from '../../kernel/gather.ts';
import { isId } from '../../kernel/ids.ts';
import { listPrograms } from '../../programs/queries.ts';

export type FindChallenge = (id: string) => Promise<CardAuthentication>;

/**
 * Finds an authentication of 3-D Secure by our id, in the sandbox programs alone: the page has no key that names a
 * program. The id has 48 random bits, and grants what the access control server could do with this one authentication.
 * Concurrent look-ups share one, so that guesses cannot take the database from others.
 */
export function createFindChallenge(db: Database): FindChallenge {
  const find = gather(async (ids: string[]) => {
    const programs = (await listPrograms(db)).filter(({ mode }) => mode === 'sandbox');
    const found = await Promise.all(programs.map(({ id }) => findAuthenticationsById(db, id, ids)));
    const byId = new Map(found.flat().map((authentication) => [authentication.id, authentication]));
    return ids.map((id) => byId.get(id));
  });
  return async (id) => {
    const found = isId(id) ? await find(id) : undefined;
    if (!found?.cardId || found.purpose !== '3ds') throw notFound();
    return found as CardAuthentication;
  };
}
