import type { Field, Operator } from './fields.ts';
import type { Value } from './values.ts';

/** A checked condition. Each node keeps its path in the document, which begins with `when`. */
export type Condition =
  | { kind: 'all' | 'any'; path: string; conditions: readonly Condition[] }
  | { kind: 'not'; path: string; condition: Condition }
  | Leaf;

export type Leaf = FieldLeaf | VelocityLeaf;

/** One value; `between` has its two ends, `in` and `notIn` a list. */
export type Operand = Value | readonly Value[];

interface Comparison {
  path: string;
  op: Operator;
  /** As an attempt holds the value: minor units, alpha-3. The name of a list, or for `isNull` true or false. */
  operand: Operand;
}

export interface FieldLeaf extends Comparison {
  kind: 'field';
  field: Field;
}

export interface VelocityLeaf extends Comparison {
  kind: 'velocity';
  velocity: Velocity;
}

export const MEASURES = ['COUNT', 'AMOUNT', 'DECLINES'] as const;
export const PER = ['CARD', 'CUSTOMER', 'CARD_MERCHANT'] as const;
export const CALENDAR_WINDOWS = ['DAY', 'WEEK', 'MONTH'] as const;

export type Window = { minutes: number } | { calendar: (typeof CALENDAR_WINDOWS)[number] };

export interface Velocity {
  measure: (typeof MEASURES)[number];
  per: (typeof PER)[number];
  window: Window;
  /** Without velocities. Null: everything counts. */
  where: Condition | null;
  /**
   * Equal for velocities of the same definition, however their documents are written. It may contain customer ids: store
   * only a digest of it.
   */
  definition: string;
}

/** All leaves in document order, without those of a velocity's `where`. */
export function leavesOf(condition: Condition): Leaf[] {
  if (condition.kind === 'not') return leavesOf(condition.condition);
  return 'conditions' in condition ? condition.conditions.flatMap(leavesOf) : [condition];
}

/** In document order, which is the order of the values that a compiled condition takes. */
export const velocitiesOf = (condition: Condition): VelocityLeaf[] =>
  leavesOf(condition).filter((leaf) => leaf.kind === 'velocity');

/** The names of the lists that a condition uses, each once. */
export function listsOf(condition: Condition): string[] {
  const names = leavesOf(condition).flatMap((leaf) => {
    if (leaf.kind === 'velocity') return leaf.velocity.where ? listsOf(leaf.velocity.where) : [];
    return leaf.op === 'inList' || leaf.op === 'notInList' ? [leaf.operand as string] : [];
  });
  return [...new Set(names)];
}
