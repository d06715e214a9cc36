import { invalid } from '../../kernel/error.ts';
import { pathTo } from '../../kernel/text.ts';
import type { Condition, FieldLeaf, VelocityLeaf } from './condition.ts';
import { findField, type ListType, NUMBER_OPERATORS, notAField } from './fields.ts';
import { readObject } from './objects.ts';
import { readOperand, readOperator } from './operands.ts';
import { readMeasured, readVelocity } from './velocity.ts';

export interface ParseContext {
  /** The program's. */
  currency: string;
  /** Of the document in the request. Absent: `when`. */
  path?: string;
  /** Of the merchant's own lists. */
  listTypeOf(name: string): ListType | undefined;
  /** Whether a velocity may stand in it: not in the `where` of another. */
  velocity: boolean;
}

const DEEPEST = 4;
const MOST_LEAVES = 50;

/** The keys of each kind of node. */
const NODES = {
  all: ['all'],
  any: ['any'],
  not: ['not'],
  field: ['field', 'op', 'value'],
  velocity: ['velocity', 'op', 'value'],
} as const;
type Kind = keyof typeof NODES;
const KINDS = Object.keys(NODES) as Kind[];
const KEYS = [...KINDS, 'op', 'value'];

/** Where a node stands; `leaves` are those of the whole document so far. */
interface Position {
  path: string;
  depth: number;
  context: ParseContext;
  counted: { leaves: number };
}

/** Checks a document, or throws a 400 that names the path of its first fault. */
export const parseCondition = (document: unknown, context: ParseContext): Condition =>
  parseNode(document, { path: context.path ?? 'when', depth: 1, context, counted: { leaves: 0 } });

function parseNode(document: unknown, at: Position): Condition {
  const { path, depth } = at;
  if (depth > DEEPEST) throw invalid(path, `must be at most ${DEEPEST} levels deep, the leaf included`);
  const node = readObject(path, document, KEYS, 'a condition');
  const kind = kindOf(path, node);
  const value = node[kind];
  const below = { ...at, path: `${path}.${kind}`, depth: depth + 1 };
  if (kind === 'not') return { kind, path, condition: parseNode(value, below) };
  if (kind === 'all' || kind === 'any') return { kind, path, conditions: parseNodes(value, below) };
  at.counted.leaves++;
  if (at.counted.leaves > MOST_LEAVES) throw invalid(path, `must have at most ${MOST_LEAVES} leaves in all`);
  return kind === 'field' ? parseField(node, at) : parseVelocity(node, at, below);
}

function parseNodes(value: unknown, at: Position): Condition[] {
  if (!Array.isArray(value)) throw invalid(at.path, 'must be a list of conditions');
  if (value.length === 0) throw invalid(at.path, 'must not be empty');
  return value.map((item, index) => parseNode(item, { ...at, path: pathTo(at.path, String(index), true) }));
}

/** The one kind of a node, with exactly its keys. */
function kindOf(path: string, node: Record<string, unknown>): Kind {
  const kinds = KINDS.filter((name) => Object.hasOwn(node, name));
  const [kind] = kinds;
  if (kind === undefined) throw invalid(path, 'must have all, any, not, field or velocity');
  if (kinds.length > 1) throw invalid(path, `must have only one of ${kinds.join(', ')}`);
  const keys: readonly string[] = NODES[kind];
  const other = Object.keys(node).find((key) => !keys.includes(key));
  if (other !== undefined) throw invalid(`${path}.${other}`, `must be absent beside ${kind}`);
  const missing = keys.find((key) => !Object.hasOwn(node, key));
  if (missing !== undefined) throw invalid(`${path}.${missing}`, 'is required');
  return kind;
}

function parseField({ field: name, op, value }: Record<string, unknown>, at: Position): FieldLeaf {
  const { path, context } = at;
  if (typeof name !== 'string') throw invalid(`${path}.field`, 'must be the name of a field');
  const field = findField(name);
  if (!field) throw notAField(`${path}.field`, name);
  const operator = readOperator(`${path}.op`, op, field.operators, field.name);
  const operand = readOperand(`${path}.value`, value, operator, field, context);
  return { kind: 'field', path, field, op: operator, operand };
}

function parseVelocity(node: Record<string, unknown>, at: Position, below: Position): VelocityLeaf {
  const { path, context } = at;
  if (!context.velocity) throw invalid(below.path, 'must be absent in where');
  const inside = { ...below, path: `${below.path}.where`, context: { ...context, velocity: false } };
  const velocity = readVelocity(below.path, node['velocity'], (where) => parseNode(where, inside));
  const measured = readMeasured(velocity.measure);
  const op = readOperator(`${path}.op`, node['op'], NUMBER_OPERATORS, 'a velocity');
  const operand = readOperand(`${path}.value`, node['value'], op, measured, context);
  return { kind: 'velocity', path, velocity, op, operand };
}
