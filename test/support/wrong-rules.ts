import fc from 'fast-check';
import { type Document, documents, operatorsOf } from './rules.ts';

/** A document with one fault, and the path that the error must name. */
export interface Wrong {
  document: unknown;
  path: string;
}

/** What takes the place of a node, and where below it the fault is: `.value[1]`. */
type Fault = readonly [replacement: unknown, at: string];

const LEAF = { field: 'mcc', op: 'eq', value: '5411' };
const VELOCITY = { velocity: { measure: 'COUNT', per: 'CARD', window: { minutes: 5 } }, op: 'gt', value: 4 };
const DEEPEST = 4;

/** Every node of a document as [path, node, depth]; the `where` of a velocity is one too. */
type Node = readonly [path: string, node: Document, depth: number, inWhere: boolean];
function nodesOf(path: string, node: Document, depth = 1, inWhere = false): Node[] {
  const parts = Object.entries(node).flatMap(([key, value]): Node[] => {
    const below = (at: string, part: unknown, isWhere = inWhere) =>
      nodesOf(`${path}.${key}${at}`, part as Document, depth + 1, isWhere);
    if (key === 'not') return below('', value);
    if (key === 'all' || key === 'any')
      return (value as Document[]).flatMap((part, i) => below(`[${i}]`, part));
    const where = key === 'velocity' && (value as Document)['where'];
    return where ? below('.where', where, true) : [];
  });
  return [[path, node, depth, inWhere], ...parts];
}

/** The faults that a node of any kind can have. */
function faultsOf(node: Document, depth: number, inWhere: boolean): Fault[] {
  const nested = (levels: number): unknown => (levels === 0 ? LEAF : { not: nested(levels - 1) });
  const missingLevels = DEEPEST + 1 - depth;
  return [
    [null, ''],
    [[node], ''],
    ['mcc', ''],
    [{}, ''],
    [{ ...node, feild: 'mcc' }, '.feild'],
    [{ all: [LEAF], ...node, any: [LEAF] }, ''],
    [{ not: LEAF, ...LEAF }, ''],
    [{ all: [] }, '.all'],
    [{ any: LEAF }, '.any'],
    [{ any: [LEAF, {}] }, depth === DEEPEST ? '.any[0]' : '.any[1]'],
    [{ not: [LEAF] }, '.not'],
    [{ all: [LEAF], value: 1 }, '.value'],
    [nested(missingLevels), '.not'.repeat(missingLevels)],
    ...(inWhere ? [[VELOCITY, '.velocity'] as const] : []),
    ...('field' in node ? fieldFaults(node) : []),
    ...('velocity' in node ? velocityFaults(node) : []),
  ];
}

const BAD_VALUES: Record<string, unknown[]> = {
  billAmount: [5, '1.234', '-1', '1e3', '', '1000000000000000'],
  currency: ['eur', 'EURO'],
  country: ['XX', 'Germany', 1],
  mcc: ['54', '54111', 5411],
  channel: ['ecommerce', 'WEB'],
  'merchant.name': ['  ', '\u0301', 'x'.repeat(256)],
  'merchant.id': [' '],
  hour: [24, -1, 1.5, '5'],
  weekday: [0, 8],
  'card.ageDays': [-1],
  foreign: ['true', 1],
};

function fieldFaults(node: Document): Fault[] {
  const { field, op } = node as { field: string; op: string };
  const bad = [{}, null, ...(BAD_VALUES[field] ?? [])];
  const { value: _, ...withoutValue } = node;
  const otherOps = ['eq', 'gt', 'in', 'inList', 'startsWith', 'isNull'].filter(
    (each) => !operatorsOf(field).includes(each),
  );
  return [
    [withoutValue, '.value'],
    [{ ...node, op: 'matches' }, '.op'],
    ...otherOps.map((other): Fault => [{ ...node, op: other }, '.op']),
    ...[
      `merchant.${field}`,
      'card.metadata.',
      'card.metadata.ü',
      'card.metadata.__proto__',
      'constructor',
      7,
    ].map((other): Fault => [{ ...node, field: other }, '.field']),
    ...valueFaults(node, op, bad),
  ];
}

function valueFaults(node: Document, op: string, bad: unknown[]): Fault[] {
  const withValue = (value: unknown, at = ''): Fault => [{ ...node, value }, `.value${at}`];
  const { value } = node as { value: unknown[] };
  if (op === 'isNull') return [withValue(null), withValue('true')];
  if (op === 'inList' || op === 'notInList')
    return [
      withValue('nowhere'),
      withValue(['home']),
      withValue((value as unknown) === 'home' ? 'fuel' : 'country:eea'),
    ];
  if (op === 'in' || op === 'notIn') {
    const long = Array.from({ length: 101 }, () => value[0]);
    const items = bad.map((item) => withValue([...value, item], `[${value.length}]`));
    return [withValue([]), withValue(value[0]), withValue(long), ...items];
  }
  if (op !== 'between') return bad.map((each) => withValue(each));
  const [low, high] = value;
  const ends = bad.flatMap((end) => [withValue([end, high], '[0]'), withValue([low, end], '[1]')]);
  const reversed = Number(low) < Number(high) ? [withValue([high, low])] : [];
  return [withValue([low]), withValue([low, high, high]), withValue(low), ...reversed, ...ends];
}

function velocityFaults(node: Document): Fault[] {
  const velocity = node['velocity'] as Document;
  const { window: _, ...withoutWindow } = velocity;
  const changed = (change: object, at: string): Fault => [
    { ...node, velocity: { ...velocity, ...change } },
    `.velocity${at}`,
  ];
  const bad = velocity['measure'] === 'AMOUNT' ? [5, '1.234'] : ['5', 1.5, -1];
  return [
    [{ ...node, velocity: withoutWindow }, '.velocity.window'],
    [{ ...node, velocity: 'COUNT' }, '.velocity'],
    [{ ...node, op: 'in' }, '.op'],
    changed({ measure: 'SUM' }, '.measure'),
    changed({ per: 'MERCHANT' }, '.per'),
    changed({ pre: 'CARD' }, '.pre'),
    changed({ window: {} }, '.window'),
    changed({ window: { minutes: 5, calendar: 'DAY' } }, '.window'),
    changed({ window: { hours: 1 } }, '.window.hours'),
    ...[0, 1441, 1.5, '5'].map((minutes) => changed({ window: { minutes } }, '.window.minutes')),
    changed({ window: { calendar: 'YEAR' } }, '.window.calendar'),
    changed({ where: null }, '.where'),
    ...valueFaults(node, node['op'] as string, bad),
  ];
}

/** The document with another node at a path, such as `when.all[1].not`. */
function replaceAt(document: unknown, path: string, replacement: unknown): unknown {
  const [key, ...rest] = path.match(/\w+/g) ?? [];
  if (key === undefined) return replacement;
  const part = (document as Document)[key];
  const changed = replaceAt(part, rest.join('.'), replacement);
  if (Array.isArray(document)) return document.with(Number(key), changed);
  return { ...(document as Document), [key]: changed };
}

/** Valid documents with one fault at a random node. */
export const wrongDocuments: fc.Arbitrary<Wrong> = fc
  .tuple(documents(), fc.nat(), fc.nat())
  .map(([document, anyNode, anyFault]) => {
    const nodes = nodesOf('when', document);
    const [path, node, depth, inWhere] = nodes[anyNode % nodes.length] as Node;
    const faults = faultsOf(node, depth, inWhere);
    const [replacement, at] = faults[anyFault % faults.length] as Fault;
    return { document: replaceAt(document, path.slice('when'.length), replacement), path: path + at };
  });
