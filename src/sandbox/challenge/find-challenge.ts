import type { CardAuthentication } from '../../authentications/authentication.ts';
import { findAuthenticationById } from '../../authentications/queries.ts';
import type { Database } from '../../db/database.ts';
import { notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { listPrograms } from '../../programs/queries.ts';

/**
 * An authentication of 3-D Secure by our id, in the sandbox programs alone: the page has no key that names a program. The
 * id has 48 random bits, and grants what the access control server could do with this one authentication.
 */
export async function findChallenge(db: Database, id: string): Promise<CardAuthentication> {
  const programs = isId(id) ? await listPrograms(db) : [];
  const sandboxes = programs.filter(({ mode }) => mode === 'sandbox');
  const found = await Promise.all(sandboxes.map((program) => findAuthenticationById(db, program.id, id)));
  const challenge = found.find((each) => each?.cardId && each.purpose === '3ds');
  if (!challenge) throw notFound();
  return challenge as CardAuthentication;
}
