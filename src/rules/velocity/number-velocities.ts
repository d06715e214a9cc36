import type { Queryable, Tx } from '../../db/database.ts';
import { EmbossError } from '../../kernel/error.ts';
import { type Condition, velocitiesOf } from '../language/condition.ts';
import { MOST_VELOCITIES, type RuleRecord } from '../rule.ts';
import { findHighestNumber, insertVelocity, listUnfilled } from './velocity-queries.ts';

/** A rule that is not archived, with its condition. */
export type ParsedRule = readonly [rule: Pick<RuleRecord, 'velocities'>, condition: Condition];

/**
 * The numbers of a new rule's velocities. Rules with the same velocity share its sums; declines are counted for each rule,
 * because its own do not count. `isFilled` is false while purchases from before are still to be counted.
 */
export async function numberVelocities(
  tx: Tx,
  programId: string,
  condition: Condition,
  others: readonly ParsedRule[],
): Promise<{ velocities: number[]; isFilled: boolean }> {
  const leaves = velocitiesOf(condition);
  if (leaves.length === 0) return { velocities: [], isFilled: true };
  const known = new Map<string, number>();
  const used = new Set(others.flatMap(([rule]) => rule.velocities));
  for (const [rule, other] of others)
    for (const [index, { velocity }] of velocitiesOf(other).entries())
      if (velocity.measure !== 'DECLINES') known.set(velocity.definition, rule.velocities[index] as number);
  let highest = await findHighestNumber(tx, programId);
  const velocities: number[] = [];
  for (const { velocity } of leaves) {
    let number = known.get(velocity.definition);
    if (number === undefined) {
      number = ++highest;
      known.set(velocity.definition, number);
      await insertVelocity(tx, programId, number);
    }
    velocities.push(number);
    used.add(number);
  }
  if (used.size > MOST_VELOCITIES)
    throw new EmbossError(
      409,
      `The rules of a program can have at most ${MOST_VELOCITIES} different velocities; archive one first`,
    );
  return { velocities, isFilled: await areFilled(tx, programId, velocities) };
}

export const areFilled = async (
  db: Queryable,
  programId: string,
  numbers: readonly number[],
): Promise<boolean> =>
  numbers.length === 0 || !(await listUnfilled(db, programId)).some(({ number }) => numbers.includes(number));
