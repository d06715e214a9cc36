import type { Attempt } from '../attempt.ts';
import { compileLeaf, type Lists, type Match, type Read, type VelocityValues } from './comparisons.ts';
import { type Condition, type Leaf, leavesOf } from './condition.ts';
import { type Explanation, showValue } from './explain.ts';
import type { Field } from './fields.ts';
import type { Value } from './values.ts';

export interface CompileContext extends Lists {
  /** The program's. */
  currency: string;
}

/** A condition over an attempt, or over a sample of one. */
export interface Compiled<Subject> {
  matches: Match<Subject>;
  /** The same leaves, all of them, with what each saw. */
  explain(subject: Subject, velocities: VelocityValues): Explanation;
}
export type CompiledCondition = Compiled<Attempt>;

/** Closures, made once for each version of the rules. An evaluation allocates nothing. */
export const compileCondition = (condition: Condition, context: CompileContext): CompiledCondition =>
  compileFor(condition, context, ({ read }) => read);

export function compileFor<Subject>(
  condition: Condition,
  context: CompileContext,
  readerOf: (field: Field) => (subject: Subject) => Value | null,
): Compiled<Subject> {
  const leaves = compileLeaves(condition, context, readerOf);
  const matches = compileTree(condition, leaves);
  return {
    matches,
    explain: (subject, velocities) => ({
      result: matches(subject, velocities),
      leaves: [...leaves].map(([leaf, { read, holds }]) => ({
        path: leaf.path,
        value: showValue(leaf, read(subject, velocities), context.currency),
        result: holds(subject, velocities),
      })),
    }),
  };
}

interface CompiledLeaf<Subject> {
  read: Read<Subject>;
  holds: Match<Subject>;
}

function compileLeaves<Subject>(
  condition: Condition,
  context: CompileContext,
  readerOf: (field: Field) => Read<Subject>,
): Map<Leaf, CompiledLeaf<Subject>> {
  let velocities = 0;
  return new Map(
    leavesOf(condition).map((leaf) => {
      const read = leaf.kind === 'field' ? readerOf(leaf.field) : readVelocity(velocities++);
      return [leaf, { read, holds: compileLeaf(leaf, read, context) }];
    }),
  );
}

const readVelocity =
  (index: number): Read<unknown> =>
  (_, velocities) =>
    velocities[index] ?? null;

function compileTree<Subject>(
  condition: Condition,
  leaves: ReadonlyMap<Leaf, CompiledLeaf<Subject>>,
): Match<Subject> {
  if (condition.kind === 'not') {
    const match = compileTree(condition.condition, leaves);
    return (subject, velocities) => !match(subject, velocities);
  }
  if (!('conditions' in condition)) return (leaves.get(condition) as CompiledLeaf<Subject>).holds;
  const matches = condition.conditions.map((part) => compileTree(part, leaves));
  // The first part of `any` that holds decides, and the first part of `all` that does not.
  const decisive = condition.kind === 'any';
  return (subject, velocities) => {
    for (const match of matches) if (match(subject, velocities) === decisive) return decisive;
    return !decisive;
  };
}
