import type { Attempt } from '../attempt.ts';
import type { Condition } from './condition.ts';
import type { Explanation } from './explain.ts';

/** What a velocity counts, this attempt included: minor units, or a number of attempts. Null: not counted. */
export type VelocityValues = readonly (bigint | null)[];

export interface CompileContext {
  /** The merchant's own lists, with the values as an attempt holds them (customers by their key). */
  lists: ReadonlyMap<string, ReadonlySet<string>>;
  customerKeyOf(customerId: string): string;
}

export interface CompiledCondition {
  matches(attempt: Attempt, velocities: VelocityValues): boolean;
  /** The same leaves, all of them, with what each saw. */
  explain(attempt: Attempt, velocities: VelocityValues): Explanation;
}

export declare function compileCondition(condition: Condition, context: CompileContext): CompiledCondition;
