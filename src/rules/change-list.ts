import type { Database, Tx } from '../db/database.ts';
import { refuseNumbersIn } from '../http/card-numbers.ts';
import { EmbossError, invalid, notFound } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { type Actor, lockFor } from '../programs/actor.ts';
import { lockProgram, raiseRulesVersion } from '../programs/queries.ts';
import { BUILT_IN_LISTS } from './language/built-in-lists.ts';
import type { ListType } from './language/fields.ts';
import { deleteList, listLists, saveList } from './list-queries.ts';
import { listLiveRules } from './queries.ts';
import { recordChange } from './record-change.ts';
import type { RuleRecord } from './rule.ts';
import { eraseValues, openValues, type RuleKeeper, sealValues } from './stored-documents.ts';
import {
  LIST_NAME,
  MOST_LISTS,
  type PresentedList,
  presentList,
  readValues,
  requireSize,
  type ValueList,
} from './value-list.ts';

export interface ListServices {
  db: Database;
  keeper: RuleKeeper;
}

/** Creates a list, or replaces its values. */
export const putList = (
  services: ListServices,
  actor: Actor,
  name: string,
  { type, values: given }: { type: ListType; values: readonly unknown[] },
): Promise<PresentedList> =>
  withLockedLists(services, actor, name, async (tx, { lists, before, users }, current) => {
    if (!LIST_NAME.test(name))
      throw invalid(
        'name',
        'must be 1 to 64 of a-z, 0-9, dot, dash and underscore, and begin with a letter or digit',
      );
    // The hook of card numbers reads bodies; this name is in the path, and is stored and shown.
    refuseNumbersIn(current.program.bin, { name });
    const values = readValues(type, given, current.program.currency);
    if (!before && lists.length >= MOST_LISTS)
      throw new EmbossError(409, `A program can have at most ${MOST_LISTS} lists; delete one first`);
    if (before && before.type !== type && users.length > 0)
      throw inUse(users, `keeps its type ${before.type} while a rule uses it`);
    const at = new Date(current.now());
    const created = { programId: current.program.id, name, id: newId(current.now()), createdAt: at };
    const after: ValueList = { ...(before ?? created), type, ...changed(values, at) };
    return writeList(services, tx, current, { before, after, values, users });
  });

/** Adds values to a list; those that it has already stay. */
export const addToList = (services: ListServices, actor: Actor, name: string, given: readonly unknown[]) =>
  changeValues(services, actor, name, given, (kept, added) => [...new Set([...kept, ...added])]);

/** Removes values from a list; those that it does not have are ignored. */
export const removeFromList = (
  services: ListServices,
  actor: Actor,
  name: string,
  given: readonly unknown[],
) =>
  changeValues(services, actor, name, given, (kept, removed) => {
    const leaving = new Set(removed);
    return kept.filter((value) => !leaving.has(value));
  });

const changeValues = (
  services: ListServices,
  actor: Actor,
  name: string,
  given: readonly unknown[],
  change: (kept: readonly string[], given: readonly string[]) => string[],
): Promise<PresentedList> =>
  withLockedLists(services, actor, name, async (tx, { before, users }, current) => {
    if (!before) throw notFound();
    const { id: programId, currency } = current.program;
    const read = readValues(before.type, given, currency);
    const kept = (await openValues(services.keeper, tx, programId, [before.id])).get(before.id) ?? [];
    const values = change(kept, read);
    requireSize(values);
    // Nothing was added or removed.
    if (values.length === kept.length) return presentList(before);
    const after = { ...before, ...changed(values, new Date(current.now())) };
    return writeList(services, tx, current, { before, after, values, users });
  });

const changed = (values: readonly string[], at: Date) => ({
  ...{ size: values.length, valuesId: newId(at.getTime()), updatedAt: at },
});

export const removeList = (services: ListServices, actor: Actor, name: string): Promise<void> =>
  withLockedLists(services, actor, name, async (tx, { before, users }, current) => {
    if (!before) throw notFound();
    if (users.length > 0) throw inUse(users, 'cannot be deleted while a rule uses it');
    await deleteList(tx, before);
    await eraseValues(services.keeper, tx, before);
    const view = presentList(before);
    await recordChange(tx, current, 'rule.list_removed', view, view);
  });

interface Locked {
  lists: readonly ValueList[];
  before: ValueList | undefined;
  /** The rules that use it, without the archived ones. */
  users: readonly RuleRecord[];
}

/** The lock of the program serialises the changes of its lists and rules. */
const withLockedLists = <Result>(
  { db }: ListServices,
  actor: Actor,
  name: string,
  change: (tx: Tx, locked: Locked, current: Actor) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    if (BUILT_IN_LISTS.has(name))
      throw new EmbossError(409, `The list ${name} is shipped with Emboss and read-only`);
    const [program, current] = await lockFor(tx, actor, lockProgram(tx, actor.program.id));
    const [lists, rules] = await Promise.all([listLists(tx, program.id), listLiveRules(tx, program.id)]);
    const before = lists.find((list) => list.name === name);
    const users = rules.filter((rule) => rule.lists.includes(name));
    return change(tx, { lists, before, users }, current);
  });

async function writeList(
  { keeper }: ListServices,
  tx: Tx,
  actor: Actor,
  {
    before,
    after,
    values,
    users,
  }: {
    before: ValueList | undefined;
    after: ValueList;
    values: readonly string[];
    users: readonly RuleRecord[];
  },
): Promise<PresentedList> {
  await saveList(tx, after);
  await sealValues(keeper, tx, after, values);
  if (users.length > 0) await raiseRulesVersion(tx, after.programId);
  const view = presentList(after);
  await recordChange(tx, actor, 'rule.list_changed', before ? presentList(before) : null, view);
  return view;
}

const inUse = (users: readonly RuleRecord[], what: string): EmbossError =>
  new EmbossError(
    409,
    `The list ${what}: ${users.map(({ id, name }) => `"${name}" (${id})`).join(', ')}; archive the rules first`,
  );
