import { isUtf8 } from 'node:buffer';
import { nearestName } from '../kernel/nearest.ts';
import { type Secret, secret } from '../kernel/secret.ts';
import { readCells, separatorOf } from './read-cells.ts';
import type { RawLine } from './read-lines.ts';
import { COLUMNS } from './record-schema.ts';
import { rejection } from './rejection.ts';

/** The first line of a CSV file. */
export interface CsvHead {
  separator: number;
  columns: string[];
}

const CARD_NUMBER = 'card_number';
const WHOLE_NUMBER = /^\d{1,15}$/;
const BOOLEANS: Record<string, boolean> = { true: true, TRUE: true, false: false, FALSE: false };

export function readCsvHead({ bytes, line, isCut }: RawLine): CsvHead {
  const separator = separatorOf(bytes);
  const cells = isUtf8(bytes) && !isCut ? readCells(bytes, separator) : 'must be the names of the columns';
  if (typeof cells === 'string') throw rejection(line, null, cells);
  const columns = cells.map(String);
  if (columns[0] !== 'record_type')
    throw rejection(line, 'record_type', 'must be the name of the first column');
  for (const [index, name] of columns.entries()) {
    if (columns.indexOf(name) !== index) throw rejection(line, name, 'must be the name of one column');
    if (!COLUMNS.has(name)) throw unknownColumn(line, name);
  }
  return { separator, columns };
}

/** A long or odd name is not repeated: it may be data in the wrong line. */
function unknownColumn(line: number, name: string) {
  const isShown = /^[\w.]{1,60}$/.test(name) && !/\d{4}/.test(name);
  const nearest = nearestName(name, [...COLUMNS.keys()]);
  const advice = nearest ? `; did you mean ${nearest}?` : '';
  return rejection(line, isShown ? name : null, `is not the name of a column${advice}`);
}

/** The fields of a record, not checked. A card number never becomes text: zeros of its length replace it. */
export function readCsvRecord(
  { bytes, line }: RawLine,
  { separator, columns }: CsvHead,
): { fields: Record<string, unknown>; number: Secret | undefined } {
  if (!isUtf8(bytes)) throw rejection(line, null, 'must be UTF-8 text');
  const cells = readCells(bytes, separator);
  if (typeof cells === 'string') throw rejection(line, null, cells);
  if (cells.length !== columns.length)
    throw rejection(line, null, `has ${cells.length} values, and the first line ${columns.length}`);
  const fields: Record<string, unknown> = {};
  let number: Secret | undefined;
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] as Buffer;
    if (cell.length === 0) continue;
    if (name === CARD_NUMBER) {
      number = secret(Buffer.from(cell));
      fields[name] = standInOf(cell);
      continue;
    }
    const [parent, part] = name.split('.');
    const value = typed(name, cell.toString());
    if (part === undefined) fields[name] = value;
    else fields[parent as string] = { ...(fields[parent as string] as object), [part]: value };
  }
  return { fields, number };
}

const standInOf = (cell: Buffer): string =>
  [...cell].map((byte) => (byte >= 0x30 && byte <= 0x39 ? '0' : 'x')).join('');

/** What is no number or boolean stays text, and breaks the rule of its field. */
function typed(name: string, text: string): unknown {
  const kind = COLUMNS.get(name);
  if (kind === 'number' && WHOLE_NUMBER.test(text)) return Number(text);
  return kind === 'boolean' ? (BOOLEANS[text] ?? text) : text;
}
