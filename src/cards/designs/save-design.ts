import { audit } from '../../audit/audit.ts';
import type { Tx } from '../../db/database.ts';
import { refuseCardNumber } from '../../kernel/card-numbers.ts';
import { EmbossError, invalid, notFound } from '../../kernel/error.ts';
import { isReadableText } from '../../kernel/text.ts';
import { type Actor, lockFor } from '../../programs/actor.ts';
import { lockProgram } from '../../programs/queries.ts';
import { COLOUR, COLOUR_RULE, type Design, type Look, type NewDesign, PATTERNS } from './design.ts';
import { clearDefaultDesign, findDesign, insertDesign, updateDesignRow } from './queries.ts';

const DESIGN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The first design of a program becomes its default, so that cards can be created without a design id. */
export async function addDesign(tx: Tx, actor: Actor, design: NewDesign): Promise<Design> {
  if (!DESIGN_ID.test(design.id))
    throw invalid('id', 'must be 1 to 64 letters, digits, dots, hyphens or underscores');
  refuseCardNumber('id', design.id);
  checkDesign(design);
  const current = await lockDesigns(tx, actor);
  const programId = current.program.id;
  const first = (await findDesign(tx, programId, undefined)) === undefined;
  const isDefault = design.default || first;
  const added = { ...design, default: isDefault, retired: false, look: plainLook(design.look) };
  if (added.default) await clearDefaultDesign(tx, programId);
  if (!(await insertDesign(tx, programId, added)))
    throw new EmbossError(409, `id: design ${design.id} already exists`);
  await audit(tx, current, 'design.added', { after: { ...added } });
  return added;
}

export async function updateDesign(
  tx: Tx,
  actor: Actor,
  id: string,
  change: Partial<Omit<Design, 'id'>>,
): Promise<Design> {
  checkDesign(change);
  const current = await lockDesigns(tx, actor);
  const programId = current.program.id;
  const before = await findDesign(tx, programId, id);
  if (!before) throw notFound();
  const after = {
    ...before,
    ...change,
    look: plainLook(change.look === undefined ? before.look : change.look),
  };
  if (before.default && !after.default)
    throw invalid('default', 'must not be removed; set another design as the default instead');
  if (after.default && after.retired)
    throw invalid(
      change.retired ? 'retired' : 'default',
      'must not be set: the default design is never retired',
    );
  if (after.default && !before.default) await clearDefaultDesign(tx, programId);
  await updateDesignRow(tx, programId, after);
  await audit(tx, current, 'design.updated', { before: { ...before }, after: { ...after } });
  return after;
}

/** Locks the program: concurrent changes must never leave two default designs or none. */
const lockDesigns = async (tx: Tx, actor: Actor): Promise<Actor> =>
  (await lockFor(tx, actor, lockProgram(tx, actor.program.id)))[1];

/** The declared fields only: ignored ones are never stored. */
const plainLook = (look: Look | null | undefined): Look | null =>
  look ? { from: look.from, to: look.to, pattern: look.pattern } : null;

/** Throws a 400 that names the wrong field. */
export function checkDesign({ name, look }: { name?: string; look?: Look | null | undefined }): void {
  if (name !== undefined && (name.trim() === '' || name.length > 100 || !isReadableText(name)))
    throw invalid('name', 'must be 1 to 100 printable characters');
  if (name !== undefined) refuseCardNumber('name', name);
  for (const end of ['from', 'to'] as const)
    if (look && !COLOUR.test(look[end])) throw invalid(`look.${end}`, COLOUR_RULE);
  if (look && !PATTERNS.includes(look.pattern))
    throw invalid('look.pattern', `must be one of ${PATTERNS.join(', ')}`);
}
