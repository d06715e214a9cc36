import type { Queryable } from '../db/database.ts';
import { invalid } from '../kernel/error.ts';
import type { Program } from '../programs/program.ts';
import { type Condition, velocitiesOf } from './language/condition.ts';
import { parseCondition } from './language/parse.ts';
import { listLists } from './list-queries.ts';

/** Checks the condition of a request, or throws a 400 that names the path of its first fault. */
export async function readCondition(
  db: Queryable,
  { id: programId, currency }: Pick<Program, 'id' | 'currency'>,
  when: unknown,
  path = 'when',
): Promise<Condition> {
  const lists = new Map((await listLists(db, programId)).map(({ name, type }) => [name, type]));
  const condition = parseCondition(when, {
    ...{ path, currency, velocity: true },
    listTypeOf: (name) => lists.get(name),
  });
  const [velocity] = velocitiesOf(condition);
  if (velocity) throw invalid(`${velocity.path}.velocity`, 'is not available yet');
  return condition;
}
