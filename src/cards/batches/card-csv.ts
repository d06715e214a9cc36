import { csvLine, readCsv } from '../../kernel/csv.ts';
import { invalid } from '../../kernel/error.ts';
import { isMetadataKey } from '../../kernel/metadata.ts';
import { nearestName } from '../../kernel/nearest.ts';
import { CreateCardBody } from '../schema.ts';

/** A row of a CSV file. The columns are the paths of a create body: `kyc.dob`. */
export interface CsvCard {
  line: number;
  cells: string[];
  /** Not checked. */
  card: Record<string, unknown>;
}

export interface CardCsv {
  columns: string[];
  rows: CsvCard[];
}

/** A file of failed rows has it; it is ignored when the file is read again. */
const ERROR = 'error';
const METADATA = 'metadata.';

interface Property {
  type?: string;
  minLength?: number;
  const?: unknown;
  anyOf?: Property[];
  oneOf?: Property[];
  required?: string[];
  properties?: Record<string, Property>;
}

interface Column {
  isNumber: boolean;
  /** An empty value is the empty text, and not the absence of a value. */
  mayBeEmpty: boolean;
}

/** Every path of a create body, so that a new field is a column too. */
const COLUMNS = new Map<string, Column>(columnsOf(CreateCardBody as unknown as Property, ''));

function columnsOf(
  { oneOf = [], properties = {}, required = [] }: Property,
  at: string,
): Array<[string, Column]> {
  return [
    ...oneOf.flatMap((shape) => columnsOf(shape, at)),
    ...Object.entries(properties).flatMap(([name, property]): Array<[string, Column]> => {
      const { type, minLength, ...rest } = property.anyOf?.[0] ?? property;
      const path = `${at}${name}`;
      if (rest.properties) return columnsOf(rest, `${path}.`);
      if (path === 'metadata') return [];
      const isText = type === 'string' && minLength === undefined && rest.const === undefined;
      const isNumber = type === 'number' || type === 'integer';
      return [[path, { isNumber, mayBeEmpty: isText && required.includes(name) && !property.anyOf }]];
    }),
  ];
}

/** The rows of a file, as bodies. Throws a 400 that names the line or the column. */
export function readCardCsv(text: string): CardCsv {
  const [head, ...records] = readCsv(text);
  if (!head) throw invalid('csv', 'must have a first line with the names of the columns');
  const names = head.cells.map((name) => name.trim());
  for (const [index, name] of names.entries()) checkColumn(name, names.indexOf(name) !== index);
  const kept = names.flatMap((name, index) => (name === ERROR ? [] : [index]));
  const columns = kept.map((index) => names[index] as string);
  const rows = records.map(({ line, cells }) => {
    if (cells.length !== names.length)
      throw invalid('csv', `line ${line}: has ${cells.length} values, and the first line ${names.length}`);
    const own = kept.map((index) => cells[index] as string);
    return { line, cells: own, card: bodyOf(columns, own) };
  });
  if (rows.length === 0)
    throw invalid('csv', 'must have a line for each card below the names of the columns');
  return { columns, rows };
}

/** The key of a column of metadata. */
function keyOf(name: string): string | undefined {
  const key = name.startsWith(METADATA) ? name.slice(METADATA.length) : '';
  return isMetadataKey(key) ? key : undefined;
}

function checkColumn(name: string, isRepeated: boolean): void {
  if (name === ERROR) return;
  if (isRepeated) throw invalid('csv', `the column ${name} must be given once`);
  if (COLUMNS.has(name) || keyOf(name) !== undefined) return;
  const nearest = nearestName(name, [...COLUMNS.keys()]);
  // A long or odd name is not repeated: it may be data in the wrong line.
  const shown = /^[\w.]{1,60}$/.test(name) && !/\d{4}/.test(name) ? ` ${name}` : '';
  throw invalid(
    'csv',
    `the column${shown} is not a field of a card${nearest ? `; did you mean ${nearest}?` : ''}`,
  );
}

function bodyOf(columns: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [index, path] of columns.entries()) {
    const text = (cells[index] ?? '').trim();
    const { isNumber = false, mayBeEmpty = false } = COLUMNS.get(path) ?? {};
    if (text === '' && !(mayBeEmpty && hasSiblings(path, columns, cells))) continue;
    // A key of metadata may have dots.
    const key = keyOf(path);
    const names = key === undefined ? path.split('.') : ['metadata', key];
    const last = names.pop() as string;
    let at = body;
    for (const name of names) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    at[last] = isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  }
  return body;
}

/** An empty address line of a business is no sign that a person has a business address. */
function hasSiblings(path: string, columns: readonly string[], cells: readonly string[]): boolean {
  const parent = path.slice(0, path.lastIndexOf('.') + 1);
  return columns.some(
    (other, index) => other !== path && other.startsWith(parent) && (cells[index] ?? '').trim() !== '',
  );
}

/** The rows that failed, each with its error, as a file that can be corrected and read again. */
export const failedCsv = (
  columns: readonly string[],
  failed: ReadonlyArray<{ cells: readonly string[]; message: string }>,
): string =>
  [csvLine([...columns, ERROR]), ...failed.map(({ cells, message }) => csvLine([...cells, message]))].join(
    '',
  );
