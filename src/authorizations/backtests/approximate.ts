import type { Queryable } from '../../db/database.ts';
import { hasCardEventSince } from '../../events/queries.ts';
import { lowestIdAt } from '../../kernel/ids.ts';
import { type Condition, leavesOf } from '../../rules/language/condition.ts';
import type { OneRule } from '../../rules/loaded-rules.ts';

/** Whether something that the rule sees has changed since a time: lists, metadata and designs are seen as they are now. */
export async function hasChangedSince(
  db: Queryable,
  programId: string,
  { condition, lists }: OneRule,
  sinceMs: number,
): Promise<boolean> {
  if (lists.some(({ updatedAt, createdAt }) => updatedAt.getTime() > sinceMs && createdAt < updatedAt))
    return true;
  const names = fieldsOf(condition);
  const seen = [
    ...(names.some((name) => name.startsWith('card.metadata.')) ? (['card.updated'] as const) : []),
    ...(names.includes('card.design') ? (['card.updated', 'card.reissued'] as const) : []),
  ];
  return seen.length > 0 && hasCardEventSince(db, programId, seen, lowestIdAt(sinceMs));
}

const fieldsOf = (condition: Condition): string[] =>
  leavesOf(condition).flatMap((leaf) => {
    if (leaf.kind === 'field') return leaf.field.name;
    return leaf.velocity.where ? fieldsOf(leaf.velocity.where) : [];
  });
