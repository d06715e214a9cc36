import { EmbossError } from './error.ts';

export interface CsvRecord {
  /** The line on which it begins, from 1. */
  line: number;
  cells: string[];
}

const QUOTE = '"';

/**
 * Reads CSV by RFC 4180, strictly: a misplaced quote is an error and never a value. The separator is the comma, or the
 * semicolon that spreadsheets write in many countries, whichever the first line has. Empty lines are left out.
 */
export function readCsv(given: string): CsvRecord[] {
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  const [head = ''] = text.split(/\r?\n/, 1);
  const cell = /,/.test(head) || !head.includes(';') ? /[^",\r\n]*/y : /[^";\r\n]*/y;
  const separator = cell.source.includes(';') ? ';' : ',';
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let [at, line, begun] = [0, 1, 1];
  const fail = (rule: string): never => {
    throw new EmbossError(400, `csv: line ${line}: ${rule}`);
  };
  const endRecord = () => {
    if (cells.length > 1 || cells[0] !== '') records.push({ line: begun, cells });
    cells = [];
  };
  while (at < text.length) {
    if (text[at] === QUOTE) {
      let value = '';
      for (;;) {
        const end = text.indexOf(QUOTE, at + 1);
        if (end === -1) return fail('a quoted value does not end');
        value += text.slice(at + 1, end);
        at = end + 1;
        if (text[at] !== QUOTE) break;
        value += QUOTE;
      }
      line += value.split('\n').length - 1;
      cells.push(value);
    } else {
      cell.lastIndex = at;
      const [value = ''] = cell.exec(text) ?? [];
      at += value.length;
      cells.push(value);
    }
    if (at >= text.length) break;
    if (text[at] === separator) {
      at++;
      // The last value of the text is empty.
      if (at === text.length) cells.push('');
      continue;
    }
    const isEnd = text.startsWith('\r\n', at) ? 2 : text[at] === '\n' ? 1 : 0;
    if (isEnd === 0) return fail('a value with a quote must begin and end with one, and double those inside');
    at += isEnd;
    endRecord();
    begun = ++line;
  }
  if (cells.length > 0) endRecord();
  return records;
}

/** One line. A value with a separator, a quote or a line break is quoted. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
