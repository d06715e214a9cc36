import type { Database } from '../db/database.ts';
import type { Actor } from '../programs/actor.ts';
import { listsOf } from './language/condition.ts';
import { evaluateSample } from './language/evaluate-sample.ts';
import type { Explanation } from './language/explain.ts';
import { listLists } from './list-queries.ts';
import { readCondition } from './read-condition.ts';
import { openValues, type RuleKeeper } from './stored-documents.ts';

export interface EvaluateServices {
  db: Database;
  keeper: RuleKeeper;
}

/** What a condition says of a sample, with the lists as they are now. */
export async function evaluateCondition(
  { db, keeper }: EvaluateServices,
  { program }: Actor,
  when: unknown,
  sample: unknown,
): Promise<Explanation> {
  const condition = await readCondition(db, program, when);
  const names = new Set(listsOf(condition));
  const used = (await listLists(db, program.id)).filter(({ name }) => names.has(name));
  const values = await openValues(
    keeper,
    db,
    program.id,
    used.map(({ id }) => id),
  );
  return evaluateSample(condition, sample, {
    currency: program.currency,
    lists: new Map(used.map(({ id, name }) => [name, new Set(values.get(id))])),
    // A sample names customers as lists and conditions do.
    customerKeyOf: (customerId) => customerId,
  });
}
