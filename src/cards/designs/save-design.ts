import { localActor } from '../../audit/entry.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/database.ts';
import { refuseCardNumber } from '../../kernel/card-numbers.ts';
import { EmbossError, invalid, notFound } from '../../kernel/error.ts';
import { isReadableText } from '../../kernel/text.ts';
import type { Program } from '../../programs/program.ts';
import { programNow } from '../../programs/program.ts';
import { lockProgram } from '../../programs/queries.ts';
import type { Design } from './design.ts';
import { clearDefaultDesign, findDesign, insertDesign, updateDesignRow } from './queries.ts';

const DESIGN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The first design of a program is its default, so that a card can always be made. */
export async function addDesign(tx: Tx, programId: string, design: Design, actor: string): Promise<Design> {
  if (!DESIGN_ID.test(design.id))
    throw invalid('id', 'must be 1 to 64 letters, digits, dots, hyphens or underscores');
  refuseCardNumber('id', design.id);
  checkName(design.name);
  const program = await requireProgram(tx, programId);
  const first = (await findDesign(tx, programId, undefined)) === undefined;
  const added = { ...design, default: design.default || first };
  if (added.default) await clearDefaultDesign(tx, programId);
  if (!(await insertDesign(tx, programId, added)))
    throw new EmbossError(409, `id: design ${design.id} already exists`);
  await audit(tx, program, actor, 'design.added', null, added);
  return added;
}

export async function updateDesign(
  tx: Tx,
  programId: string,
  id: string,
  change: Partial<Omit<Design, 'id'>>,
  actor: string,
): Promise<Design> {
  if (change.name !== undefined) checkName(change.name);
  const program = await requireProgram(tx, programId);
  const before = await findDesign(tx, programId, id);
  if (!before) throw notFound();
  const after = { ...before, ...change };
  if (before.default && !after.default)
    throw invalid('default', 'must not be removed; set another design as the default instead');
  if (after.default && !before.default) await clearDefaultDesign(tx, programId);
  await updateDesignRow(tx, programId, after);
  await audit(tx, program, actor, 'design.updated', before, after);
  return after;
}

/** Locked, so that two changes at once never leave two defaults or none. */
async function requireProgram(tx: Tx, programId: string): Promise<Program> {
  const program = await lockProgram(tx, programId);
  if (!program) throw notFound();
  return program;
}

function checkName(name: string): void {
  if (name.trim() === '' || name.length > 100 || !isReadableText(name))
    throw invalid('name', 'must be 1 to 100 printable characters');
  refuseCardNumber('name', name);
}

const audit = (
  tx: Tx,
  program: Program,
  actor: string,
  action: string,
  before: Design | null,
  after: Design,
) =>
  recordAudit(tx, {
    programId: program.id,
    ...localActor(actor),
    action,
    cardId: null,
    before: before && { ...before },
    after: { ...after },
    nowMs: programNow(program, Date.now()),
  });
