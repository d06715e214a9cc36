import { fieldWords, MEASURES, operatorWords, PER } from './words.ts';

/** A condition as the operator's JSON has it: it may be wrong anywhere, and the server says where. */
export interface FieldLeaf {
  field: string;
  op: string;
  value: unknown;
}

export interface Velocity {
  measure: string;
  per: string;
  window: { minutes?: unknown; calendar?: unknown };
  where?: unknown;
}

export interface VelocityLeaf {
  velocity: Velocity;
  op: string;
  value: unknown;
}

/** A node whose shape the form can show. */
export type Shape =
  | { kind: 'all' | 'any'; children: unknown[] }
  | { kind: 'not'; child: unknown }
  | { kind: 'field'; leaf: FieldLeaf }
  | { kind: 'velocity'; leaf: VelocityLeaf };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined: only the JSON can show it. */
export function shapeOf(node: unknown): Shape | undefined {
  if (!isObject(node)) return undefined;
  const keys = Object.keys(node).sort().join(' ');
  if (keys === 'all' || keys === 'any') {
    const children = node[keys];
    return Array.isArray(children) ? { kind: keys, children } : undefined;
  }
  if (keys === 'not') return { kind: 'not', child: node['not'] };
  if (typeof node['op'] !== 'string') return undefined;
  if (keys === 'field op value' && typeof node['field'] === 'string')
    return { kind: 'field', leaf: node as unknown as FieldLeaf };
  const { velocity } = node;
  if (keys === 'op value velocity' && isObject(velocity) && isObject(velocity['window']))
    return { kind: 'velocity', leaf: node as unknown as VelocityLeaf };
  return undefined;
}

/** The node at a path such as `when.all[1].not`. */
export function nodeAt(when: unknown, path: string): unknown {
  const steps = path.match(/[^.[\]]+/g)?.slice(1) ?? [];
  return steps.reduce<unknown>(
    (node, step) =>
      typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[step] : undefined,
    when,
  );
}

/** A value of a condition in one field: text as it is. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const CALENDAR: Record<string, string> = { DAY: 'today', WEEK: 'this week', MONTH: 'this month' };

const windowWords = ({ minutes, calendar }: Velocity['window']): string => {
  if (calendar !== undefined) return CALENDAR[textOf(calendar)] ?? textOf(calendar);
  return minutes === 1 ? 'in 1 minute' : `in ${textOf(minutes)} minutes`;
};

/** What a velocity counts: "Purchases by card in 60 minutes". */
const velocityWords = ({ measure, per, window }: Velocity): string =>
  `${(MEASURES as Record<string, string>)[measure] ?? measure} by ${((PER as Record<string, string>)[per] ?? per).toLowerCase()} ${windowWords(window)}`;

const valueWords = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.map(textOf).join(', ') : textOf(value);
};

const comparisonWords = (op: string, value: unknown): string => {
  if (op === 'isNull') return value === false ? 'is present' : 'is missing';
  if (op === 'between' && Array.isArray(value)) return `between ${value.map(textOf).join(' and ')}`;
  return `${operatorWords(op)} ${valueWords(value)}`;
};

/** What a leaf saw. */
export const shownValue = (value: string | null): string =>
  value === null ? 'none' : value === 'true' ? 'yes' : value === 'false' ? 'no' : value;

/** A leaf in words. Undefined: it is none. */
export function leafWords(node: unknown): string | undefined {
  const shape = shapeOf(node);
  if (shape?.kind === 'field')
    return `${fieldWords(shape.leaf.field)} ${comparisonWords(shape.leaf.op, shape.leaf.value)}`;
  if (shape?.kind === 'velocity')
    return `${velocityWords(shape.leaf.velocity)} ${comparisonWords(shape.leaf.op, shape.leaf.value)}`;
  return undefined;
}

/** What the editor of a node needs. */
export interface NodeProps {
  node: unknown;
  /** As errors of the server name it. */
  path: string;
  depth: number;
  /** Whether it stands in the `where` of a velocity, which takes none itself. */
  isWhere?: boolean;
  onChange: (node: unknown) => void;
  /** Absent: it cannot be removed. */
  onRemove?: (() => void) | undefined;
}
