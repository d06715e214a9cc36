import { invalid } from '../../kernel/error.ts';
import { BUILT_IN_LISTS } from './built-in-lists.ts';
import type { Operand } from './condition.ts';
import type { Field, ListType, Operator } from './fields.ts';
import { readBoolean, type Value } from './values.ts';
import { quoted, suggestion } from './words.ts';

/** What a leaf compares: a field, or what a velocity counts. */
export type Compared = Pick<Field, 'readValue' | 'listType'>;

interface OperandContext {
  currency: string;
  listTypeOf(name: string): ListType | undefined;
}

const MOST_VALUES = 100;

export function readOperator<Name extends Operator>(
  path: string,
  value: unknown,
  operators: readonly Name[],
  what: string,
): Name {
  const known = operators.find((operator) => operator === value);
  if (known !== undefined) return known;
  throw invalid(path, `must be an operator of ${what}: ${operators.join(', ')}`);
}

export function readOperand(
  path: string,
  value: unknown,
  op: Operator,
  compared: Compared,
  context: OperandContext,
): Operand {
  const read = (at: string, item: unknown): Value => compared.readValue(at, item, context.currency);
  if (op === 'isNull') return readBoolean(path, value);
  if (op === 'between') return readEnds(path, value, read);
  if (op === 'in' || op === 'notIn') return readValues(path, value, read);
  if (op === 'inList' || op === 'notInList') return readListName(path, value, compared, context);
  return read(path, value);
}

type Read = (path: string, value: unknown) => Value;

function readEnds(path: string, value: unknown, read: Read): Value[] {
  if (!Array.isArray(value) || value.length !== 2) throw invalid(path, 'must be a list of two: [low, high]');
  const [low, high] = value.map((end, index) => read(`${path}[${index}]`, end)) as [Value, Value];
  if (low > high) throw invalid(path, 'must be [low, high], the lower end first');
  return [low, high];
}

function readValues(path: string, value: unknown, read: Read): Value[] {
  if (!Array.isArray(value)) throw invalid(path, 'must be a list of values');
  if (value.length === 0) throw invalid(path, 'must not be empty');
  if (value.length > MOST_VALUES)
    throw invalid(path, `must have at most ${MOST_VALUES} values; use a list with inList or notInList`);
  return value.map((item, index) => read(`${path}[${index}]`, item));
}

function readListName(path: string, name: unknown, { listType }: Compared, context: OperandContext): string {
  if (typeof name !== 'string') throw invalid(path, 'must be the name of a list');
  const type = BUILT_IN_LISTS.get(name)?.type ?? context.listTypeOf(name);
  if (type === undefined)
    throw invalid(path, `${quoted(name)} is not a list${suggestion(name, [...BUILT_IN_LISTS.keys()])}`);
  if (type !== listType) throw invalid(path, `must be a list of type ${listType}, not ${type}`);
  return name;
}
