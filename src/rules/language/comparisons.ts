import { foldText } from '../../kernel/fold-text.ts';
import { BUILT_IN_LISTS } from './built-in-lists.ts';
import type { Leaf, Operand } from './condition.ts';
import type { Operator } from './fields.ts';
import type { Value } from './values.ts';

/** What a velocity counts, this attempt included: minor units, or a number of attempts. Null: not counted. */
export type VelocityValues = readonly (bigint | null)[];

export type Read<Subject> = (subject: Subject, velocities: VelocityValues) => Value | null;
export type Match<Subject> = (subject: Subject, velocities: VelocityValues) => boolean;

export interface Lists {
  /** The merchant's own lists, with the values as an attempt holds them (customers by their key). */
  lists: ReadonlyMap<string, ReadonlySet<string>>;
  customerKeyOf(customerId: string): string;
}

/** Whether the value that `read` finds meets a leaf. Null meets none but `isNull`. */
export function compileLeaf<Subject>(leaf: Leaf, read: Read<Subject>, context: Lists): Match<Subject> {
  const compare = COMPARISONS[leaf.op];
  const { op, operand } = leaf;
  if (leaf.kind === 'velocity' || op === 'isNull') return compare(read, operand);
  if (op === 'inList' || op === 'notInList') return compare(read, listOf(operand as string, context));
  if (leaf.field.type === 'text') return compare(folded(read), foldText(operand as string));
  if (leaf.field.listType !== 'customer') return compare(read, operand);
  const keys = [operand].flat().map((id) => context.customerKeyOf(id as string));
  return compare(read, Array.isArray(operand) ? keys : (keys[0] as string));
}

type Compare = <Subject>(read: Read<Subject>, operand: Operand | ReadonlySet<string>) => Match<Subject>;

/** Each closure reads and compares by itself: a call more in each leaf would take half as long again. */
const COMPARISONS: Record<Operator, Compare> = {
  eq: (read, operand) => (subject, velocities) => read(subject, velocities) === operand,
  ne: (read, operand) => (subject, velocities) => {
    const value = read(subject, velocities);
    return value !== null && value !== operand;
  },
  gt: (read, operand) => (subject, velocities) => {
    const value = read(subject, velocities);
    return value !== null && value > operand;
  },
  gte: (read, operand) => (subject, velocities) => {
    const value = read(subject, velocities);
    return value !== null && value >= operand;
  },
  lt: (read, operand) => (subject, velocities) => {
    const value = read(subject, velocities);
    return value !== null && value < operand;
  },
  lte: (read, operand) => (subject, velocities) => {
    const value = read(subject, velocities);
    return value !== null && value <= operand;
  },
  between: (read, operand) => {
    const [low, high] = operand as [Value, Value];
    return (subject, velocities) => {
      const value = read(subject, velocities);
      return value !== null && value >= low && value <= high;
    };
  },
  in: (read, operand) => isIn(read, new Set(operand as string[])),
  notIn: (read, operand) => isNotIn(read, new Set(operand as string[])),
  inList: (read, operand) => isIn(read, operand as ReadonlySet<string>),
  notInList: (read, operand) => isNotIn(read, operand as ReadonlySet<string>),
  startsWith: (read, operand) => (subject, velocities) => {
    const value = read(subject, velocities);
    return value !== null && (value as string).startsWith(operand as string);
  },
  contains: (read, operand) => (subject, velocities) => {
    const value = read(subject, velocities);
    return value !== null && (value as string).includes(operand as string);
  },
  isNull: (read, operand) => (subject, velocities) => (read(subject, velocities) === null) === operand,
};

const isIn =
  <Subject>(read: Read<Subject>, values: ReadonlySet<string>): Match<Subject> =>
  (subject, velocities) =>
    values.has(read(subject, velocities) as string);

const isNotIn =
  <Subject>(read: Read<Subject>, values: ReadonlySet<string>): Match<Subject> =>
  (subject, velocities) => {
    const value = read(subject, velocities);
    return value !== null && !values.has(value as string);
  };

/** One text is enough: many leaves compare the merchant's name of an attempt, one after the other. */
let known = { text: '', folded: '' };

const folded =
  <Subject>(read: Read<Subject>): Read<Subject> =>
  (subject, velocities) => {
    const text = read(subject, velocities) as string | null;
    if (text === null) return null;
    if (text !== known.text) known = { text, folded: foldText(text) };
    return known.folded;
  };

function listOf(name: string, { lists }: Lists): ReadonlySet<string> {
  const values = BUILT_IN_LISTS.get(name)?.values ?? lists.get(name);
  // A list that a rule uses cannot be deleted; as an empty one, it would let through what it must not.
  if (!values) throw new RangeError(`unknown list ${name}`);
  return values;
}
