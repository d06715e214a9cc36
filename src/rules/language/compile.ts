import type { Attempt } from '../attempt.ts';
import { compileTest, type Lists } from './comparisons.ts';
import { type Condition, type Leaf, leavesOf } from './condition.ts';
import { type Explanation, explainLeaf } from './explain.ts';
import type { Field, Value } from './fields.ts';

/** What a velocity counts, this attempt included: minor units, or a number of attempts. Null: not counted. */
export type VelocityValues = readonly (bigint | null)[];

export interface CompileContext extends Lists {
  /** The program's. */
  currency: string;
}

/** A condition over an attempt, or over a sample of one. */
export interface Compiled<Subject> {
  matches(subject: Subject, velocities: VelocityValues): boolean;
  /** The same leaves, all of them, with what each saw. */
  explain(subject: Subject, velocities: VelocityValues): Explanation;
}
export type CompiledCondition = Compiled<Attempt>;

type Read<Subject> = (subject: Subject, velocities: VelocityValues) => Value | null;
type Match<Subject> = (subject: Subject, velocities: VelocityValues) => boolean;

interface CompiledLeaf<Subject> {
  read: Read<Subject>;
  test(value: Value | null): boolean;
}

/** Closures, made once for each version of the rules. An evaluation allocates nothing. */
export const compileCondition = (condition: Condition, context: CompileContext): CompiledCondition =>
  compileFor(condition, context, ({ read }) => read);

export function compileFor<Subject>(
  condition: Condition,
  context: CompileContext,
  readerOf: (field: Field) => (subject: Subject) => Value | null,
): Compiled<Subject> {
  let velocities = 0;
  const compileLeaf = (leaf: Leaf): CompiledLeaf<Subject> => ({
    read: leaf.kind === 'field' ? readerOf(leaf.field) : readVelocity(velocities++),
    test: compileTest(leaf, context),
  });
  const leaves = new Map(leavesOf(condition).map((leaf) => [leaf, compileLeaf(leaf)]));
  const matches = compileTree(condition, leaves);
  return {
    matches,
    explain: (subject, values) => ({
      result: matches(subject, values),
      leaves: [...leaves].map(([leaf, { read, test }]) => {
        const value = read(subject, values);
        return { path: leaf.path, value: explainLeaf(leaf, value, context.currency), result: test(value) };
      }),
    }),
  };
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
  if ('conditions' in condition) {
    const matches = condition.conditions.map((part) => compileTree(part, leaves));
    // The first `any` that holds decides, and the first `all` that does not.
    const decisive = condition.kind === 'any';
    return (subject, velocities) => {
      for (const match of matches) if (match(subject, velocities) === decisive) return decisive;
      return !decisive;
    };
  }
  const { read, test } = leaves.get(condition) as CompiledLeaf<Subject>;
  return (subject, velocities) => test(read(subject, velocities));
}
