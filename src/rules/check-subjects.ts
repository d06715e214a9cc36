import type { Queryable } from '../db/database.ts';
import { invalid } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import type { AppliesTo } from './rule.ts';

/** What rules need to know of cards and customers, which are on the same floor. */
export interface Subjects {
  /** The given ids that are those of cards. */
  findCardIds(db: Queryable, programId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The given ids that are those of customers. */
  findCustomerIds(db: Queryable, programId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Throws a 400 that names the first card or customer that the program does not have. */
export async function checkSubjects(
  { findCardIds, findCustomerIds }: Subjects,
  db: Queryable,
  programId: string,
  appliesTo: AppliesTo,
  path = 'appliesTo',
): Promise<void> {
  if (appliesTo === 'PROGRAM') return;
  const isOfCards = 'cardIds' in appliesTo;
  const ids = isOfCards ? appliesTo.cardIds : appliesTo.customerIds;
  const known = isOfCards
    ? await findCardIds(db, programId, ids.filter(isId))
    : await findCustomerIds(db, programId, ids);
  const index = ids.findIndex((id) => !known.has(id));
  if (index === -1) return;
  const [field, word] = isOfCards ? ['cardIds', 'card'] : ['customerIds', 'customer'];
  throw invalid(`${path}.${field}[${index}]`, `is not a ${word} in this program`);
}
