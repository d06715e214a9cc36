import type { Queryable } from '../db/database.ts';
import type { Program } from '../programs/program.ts';
import { type LoadedRule, orderRules } from './judge-rules.ts';
import { compileCondition } from './language/compile.ts';
import { type Condition, listsOf, velocitiesOf } from './language/condition.ts';
import { parseCondition } from './language/parse.ts';
import { listLists } from './list-queries.ts';
import { listLiveRules } from './queries.ts';
import type { AppliesTo, LoadedVelocity, ProgramRules, RuleDocument } from './rule.ts';
import { openDocuments, openValues, type RuleKeeper } from './stored-documents.ts';
import type { ValueList } from './value-list.ts';

/** The rules of a program in the version that it was read with, or in a newer one. */
export type RulesOf = (
  db: Queryable,
  program: Pick<Program, 'id' | 'currency' | 'rulesVersion'>,
) => ProgramRules | Promise<ProgramRules>;

/** How rules know customers: by what cards have in place of a customer's id. */
export interface CustomerKeys {
  /** Under every live key; the first one is the name that rules use. */
  cardholderIdsOf(programId: string, customerId: string): string[];
  /** Changes when those do. */
  generation(): number;
}

export interface LoadServices {
  keeper: RuleKeeper;
  customers: CustomerKeys;
}

interface Loaded extends ProgramRules {
  generation: number;
  kept: Kept;
}

/** What a later version uses again: to open long lists takes long. */
interface Kept {
  names: ReturnType<typeof customerNames>;
  /** By the ids of the values. */
  sets: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A program takes some KB; with 100 lists of 10,000 values, 90 MB. */
const MOST_PROGRAMS = 1_000;

/**
 * Keeps the compiled rules of programs. A version is loaded once: which one is current is read with the program, so a
 * change needs no message between processes.
 */
export function createLoadedRules(services: LoadServices): RulesOf {
  const known = new Map<string, Loaded>();
  return (db, program) => {
    const loaded = known.get(program.id);
    const generation = services.customers.generation();
    if (loaded && loaded.version >= program.rulesVersion && loaded.generation === generation) return loaded;
    const kept = loaded?.generation === generation ? loaded.kept : undefined;
    return load(services, db, program, kept).then((rules) => {
      const newest = known.get(program.id);
      if (newest && newest.version > rules.version && newest.generation === generation) return newest;
      if (known.size >= MOST_PROGRAMS) known.clear();
      known.set(program.id, { ...rules, generation });
      return rules;
    });
  };
}

/** What is read after the version is of that version or of a newer one, which was committed meanwhile. */
async function load(
  services: LoadServices,
  db: Queryable,
  program: Parameters<RulesOf>[1],
  kept: Kept | undefined,
): Promise<ProgramRules & { kept: Kept }> {
  const { id: programId, rulesVersion } = program;
  const [rows, lists] = await Promise.all([listLiveRules(db, programId), listLists(db, programId)]);
  const ids = rows.map(({ id }) => id);
  const names = new Set(rows.flatMap((rule) => rule.lists));
  const [documents, language] = await Promise.all([
    openDocuments(services.keeper, db, programId, ids),
    readLanguage(services, db, program, lists, names, kept),
  ]);
  const all = rows.map((rule) => {
    const document = documents.get(rule.id);
    if (!document) throw new Error(`the document of rule ${rule.id} is missing in the vault`);
    return compileRule(language, { ...rule, status: rule.status as LoadedRule['status'] }, document);
  });
  // Also of those in preparation: their velocities count already.
  const velocities = new Map(all.flatMap((each) => each.velocities));
  const compiled = all.flatMap(({ rule }, index) => (rows[index]?.status === 'PREPARING' ? [] : rule));
  const scoped = compiled.filter((rule) => rule.appliesTo !== 'PROGRAM');
  // Attempts are counted by version: a rule that was created meanwhile is counted from its own on.
  const version = rows.reduce(
    (newest, { firstVersion }) => (firstVersion > newest ? firstVersion : newest),
    rulesVersion,
  );
  const { customerKeyOf } = language.kept.names;
  const set = orderRules(compiled);
  return { ...{ programId, version, set, scoped, velocities, customerKeyOf }, kept: language.kept };
}

/** A rule as it is stored, without what only its list shows. */
export type CompiledFrom = Pick<
  LoadedRule,
  'id' | 'name' | 'action' | 'reason' | 'priority' | 'status' | 'velocities'
>;

export interface OneRule extends ProgramRules {
  condition: Condition;
  /** The merchant's lists that it uses. */
  lists: readonly ValueList[];
}

/** One rule alone, for a backtest: whatever its status is, it only watches. Throws a 400 where a list of it is gone. */
export async function loadOne(
  services: LoadServices,
  db: Queryable,
  program: Parameters<RulesOf>[1],
  rule: CompiledFrom,
  document: RuleDocument,
): Promise<OneRule> {
  const lists = await listLists(db, program.id);
  const language = await readLanguage(services, db, program, lists, new Set(lists.map(({ name }) => name)));
  const { rule: loaded, velocities, condition } = compileRule(language, rule, document);
  const names = listsOf(condition);
  return {
    ...{
      programId: program.id,
      version: program.rulesVersion,
      customerKeyOf: language.kept.names.customerKeyOf,
    },
    ...{ set: orderRules([loaded]), scoped: [], velocities: new Map(velocities), condition },
    lists: lists.filter(({ name }) => names.includes(name)),
  };
}

type Language = Awaited<ReturnType<typeof readLanguage>>;

/** What conditions need beside themselves: the values of lists, and how customers are known. */
async function readLanguage(
  { keeper, customers }: LoadServices,
  db: Queryable,
  { id: programId, currency }: Parameters<RulesOf>[1],
  lists: readonly ValueList[],
  wanted: ReadonlySet<string>,
  kept?: Kept,
) {
  const used = lists.filter(({ name }) => wanted.has(name));
  const unknown = used.filter(({ valuesId }) => !kept?.sets.has(valuesId)).map(({ id }) => id);
  const values = await openValues(keeper, db, programId, unknown);
  const names = kept?.names ?? customerNames(customers, programId);
  const { nameOf } = names;
  const types = new Map(lists.map(({ name, type }) => [name, type]));
  const setOf = ({ id, type, valuesId }: ValueList): ReadonlySet<string> => {
    const given = values.get(id) ?? [];
    return kept?.sets.get(valuesId) ?? new Set(type === 'customer' ? given.map(nameOf) : given);
  };
  const sets = new Map(used.map((list) => [list.valuesId, setOf(list)]));
  const named = used.map(({ name, valuesId }) => [name, sets.get(valuesId) as ReadonlySet<string>] as const);
  return {
    kept: { names, sets },
    nameOf,
    parsing: { currency, velocity: true, listTypeOf: (name: string) => types.get(name) },
    compiling: { currency, lists: new Map(named), customerKeyOf: nameOf },
  };
}

function compileRule({ nameOf, parsing, compiling }: Language, rule: CompiledFrom, document: RuleDocument) {
  const condition = parseCondition(document.when, parsing);
  const { id, name, action, reason, priority, status } = rule;
  const velocities = velocitiesOf(condition).map(({ velocity }, index): [number, LoadedVelocity] => {
    const number = rule.velocities[index] as number;
    const meets = velocity.where ? compileCondition(velocity.where, compiling).matches : () => true;
    const ruleId = velocity.measure === 'DECLINES' ? id : null;
    return [number, { ...velocity, number, meets: (attempt) => meets(attempt, []), ruleId }];
  });
  const loaded: LoadedRule = {
    ...{ id, name, action, reason, priority, status },
    appliesTo: subjectsOf(document.appliesTo, nameOf),
    velocities: rule.velocities,
    ...compileCondition(condition, compiling),
  };
  return { rule: loaded, velocities, condition };
}

function subjectsOf(appliesTo: AppliesTo, nameOf: (customerId: string) => string): LoadedRule['appliesTo'] {
  if (appliesTo === 'PROGRAM') return appliesTo;
  return 'cardIds' in appliesTo
    ? { cardIds: new Set(appliesTo.cardIds) }
    : { customerKeys: new Set(appliesTo.customerIds.map(nameOf)) };
}

/**
 * While the keys of the vault are rotated, cards of one customer can have different cardholder ids: rules use the first,
 * and know the others as other names of it.
 */
function customerNames({ cardholderIdsOf }: CustomerKeys, programId: string) {
  const otherNames = new Map<string, string>();
  const nameOf = (customerId: string): string => {
    const [name, ...others] = cardholderIdsOf(programId, customerId);
    for (const other of others) otherNames.set(other, name as string);
    return name as string;
  };
  return { nameOf, customerKeyOf: (cardholderId: string) => otherNames.get(cardholderId) ?? cardholderId };
}
