import type { Queryable } from '../db/database.ts';
import type { Program } from '../programs/program.ts';
import { type LoadedRule, orderRules } from './judge-rules.ts';
import { compileCondition } from './language/compile.ts';
import { velocitiesOf } from './language/condition.ts';
import { parseCondition } from './language/parse.ts';
import { listLists } from './list-queries.ts';
import { listLiveRules } from './queries.ts';
import type { AppliesTo, ProgramRules, RuleRecord } from './rule.ts';
import { openDocuments, openValues, type RuleKeeper } from './stored-documents.ts';

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

interface LoadServices {
  keeper: RuleKeeper;
  customers: CustomerKeys;
}

interface Loaded extends ProgramRules {
  generation: number;
}

/** A program with all its rules and lists takes a few MB at most, most take some KB. */
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
    return load(services, db, program).then((rules) => {
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
  { keeper, customers }: LoadServices,
  db: Queryable,
  { id: programId, currency, rulesVersion }: Parameters<RulesOf>[1],
): Promise<ProgramRules> {
  const [rows, lists] = await Promise.all([listLiveRules(db, programId), listLists(db, programId)]);
  const evaluated = rows.filter(({ status }) => status !== 'PREPARING');
  const names = new Set(evaluated.flatMap((rule) => rule.lists));
  const used = lists.filter(({ name }) => names.has(name));
  const [documents, values] = await Promise.all([
    openDocuments(
      keeper,
      db,
      programId,
      evaluated.map(({ id }) => id),
    ),
    openValues(
      keeper,
      db,
      programId,
      used.map(({ id }) => id),
    ),
  ]);
  const { customerKeyOf, nameOf } = customerNames(customers, programId);
  const typeOf = new Map(lists.map(({ name, type }) => [name, type]));
  const context = {
    currency,
    lists: new Map(
      used.map(({ id, name, type }) => {
        const given = values.get(id) ?? [];
        return [name, new Set(type === 'customer' ? given.map(nameOf) : given)] as const;
      }),
    ),
    customerKeyOf: nameOf,
  };
  const compile = (rule: RuleRecord): LoadedRule => {
    const document = documents.get(rule.id);
    if (!document) throw new Error(`the document of rule ${rule.id} is missing in the vault`);
    const condition = parseCondition(document.when, {
      currency,
      listTypeOf: (name) => typeOf.get(name),
      velocity: true,
    });
    const { id, name, action, reason, priority } = rule;
    return {
      ...{ id, name, action, reason, priority, status: rule.status as LoadedRule['status'] },
      appliesTo: subjectsOf(document.appliesTo, nameOf),
      velocities: velocitiesOf(condition),
      ...compileCondition(condition, context),
    };
  };
  const compiled = evaluated.map(compile);
  const scoped = compiled.filter((rule) => rule.appliesTo !== 'PROGRAM');
  // Attempts are counted by version: a rule that was created meanwhile is counted from its own on.
  const version = rows.reduce(
    (newest, { firstVersion }) => (firstVersion > newest ? firstVersion : newest),
    rulesVersion,
  );
  return { programId, version, set: orderRules(compiled), scoped, customerKeyOf };
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
