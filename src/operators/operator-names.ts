import type { Database } from '../db/database.ts';
import { isId } from '../kernel/ids.ts';
import { findOperators } from './queries.ts';

/** What the audit calls by id, people know by name. */
export async function operatorNames(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const operators = ids.length === 0 ? [] : await findOperators(db, ids.filter(isId));
  return new Map(operators.map(({ id, name }) => [id, name]));
}
