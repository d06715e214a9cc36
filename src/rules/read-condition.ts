import type { Queryable } from '../db/database.ts';
import type { Program } from '../programs/program.ts';
import type { Condition } from './language/condition.ts';
import type { ListType } from './language/fields.ts';
import { parseCondition } from './language/parse.ts';
import { listLists } from './list-queries.ts';
import type { RuleRecord } from './rule.ts';
import { openDocuments, type RuleKeeper } from './stored-documents.ts';
import type { ParsedRule } from './velocity/number-velocities.ts';

type Of = Pick<Program, 'id' | 'currency'>;

/** Checks the condition of a request, or throws a 400 that names the path of its first fault. */
export async function readCondition(
  db: Queryable,
  program: Of,
  when: unknown,
  path = 'when',
): Promise<Condition> {
  return parseCondition(when, { ...(await contextOf(db, program)), path });
}

/** The conditions of stored rules. */
export async function openConditions(
  db: Queryable,
  keeper: RuleKeeper,
  program: Of,
  rules: readonly RuleRecord[],
): Promise<ParsedRule[]> {
  const ids = rules.map(({ id }) => id);
  const [documents, context] = await Promise.all([
    openDocuments(keeper, db, program.id, ids),
    contextOf(db, program),
  ]);
  return rules.map((rule) => [rule, parseCondition(documents.get(rule.id)?.when, context)]);
}

async function contextOf(db: Queryable, { id, currency }: Of) {
  const types = new Map<string, ListType>((await listLists(db, id)).map(({ name, type }) => [name, type]));
  return { currency, velocity: true, listTypeOf: (name: string) => types.get(name) };
}
