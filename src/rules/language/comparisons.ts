import { foldText } from '../../kernel/fold-text.ts';
import { remembered } from '../../kernel/remembered.ts';
import { BUILT_IN_LISTS } from './built-in-lists.ts';
import type { Leaf, Operand } from './condition.ts';
import type { Operator, Value } from './fields.ts';

export interface Lists {
  /** The merchant's own lists, with the values as an attempt holds them (customers by their key). */
  lists: ReadonlyMap<string, ReadonlySet<string>>;
  customerKeyOf(customerId: string): string;
}

/** Whether a value meets a leaf. Null meets none but `isNull`. */
type Test = (value: Value | null) => boolean;

/** The names of one attempt's merchant stand in many leaves. */
const folded = remembered(foldText);

export function compileTest(leaf: Leaf, context: Lists): Test {
  const { op, operand } = leaf;
  if (leaf.kind === 'velocity') return TESTS[op](operand, context);
  if (leaf.field.type === 'text' && op !== 'isNull') {
    const test = TESTS[op](foldText(operand as string), context);
    return (value) => value !== null && test(folded(value as string));
  }
  if (leaf.field.listType !== 'customer' || op === 'inList' || op === 'notInList')
    return TESTS[op](operand, context);
  const keys = [operand].flat().map((id) => context.customerKeyOf(id as string));
  return TESTS[op](Array.isArray(operand) ? keys : (keys[0] as string), context);
}

const TESTS: Record<Operator, (operand: Operand, context: Lists) => Test> = {
  eq: (operand) => (value) => value === operand,
  ne: (operand) => (value) => value !== null && value !== operand,
  gt: (operand) => (value) => value !== null && value > operand,
  gte: (operand) => (value) => value !== null && value >= operand,
  lt: (operand) => (value) => value !== null && value < operand,
  lte: (operand) => (value) => value !== null && value <= operand,
  between: (operand) => {
    const [low, high] = operand as [Value, Value];
    return (value) => value !== null && value >= low && value <= high;
  },
  in: (operand) => isIn(new Set(operand as string[])),
  notIn: (operand) => isNotIn(new Set(operand as string[])),
  inList: (operand, context) => isIn(listOf(operand as string, context)),
  notInList: (operand, context) => isNotIn(listOf(operand as string, context)),
  startsWith: (operand) => (value) => value !== null && (value as string).startsWith(operand as string),
  contains: (operand) => (value) => value !== null && (value as string).includes(operand as string),
  isNull: (operand) => (value) => (value === null) === operand,
};

const isIn =
  (values: ReadonlySet<string>): Test =>
  (value) =>
    values.has(value as string);

const isNotIn =
  (values: ReadonlySet<string>): Test =>
  (value) =>
    value !== null && !values.has(value as string);

function listOf(name: string, { lists }: Lists): ReadonlySet<string> {
  const values = BUILT_IN_LISTS.get(name)?.values ?? lists.get(name);
  // A list that a rule uses cannot be deleted; as an empty one, it would let through what it must not.
  if (!values) throw new RangeError(`unknown list ${name}`);
  return values;
}
