/** Reads RFC 4180 to the letter: CRLF after every record, quotes doubled, nothing else. Throws on anything else. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [cell, end] = text[at] === '"' ? quotedCell(text, at) : bareCell(text, at);
    record.push(cell);
    if (text[end] === ',') at = end + 1;
    else if (text.startsWith('\r\n', end)) {
      records.push(record);
      record = [];
      at = end + 2;
    } else
      throw new Error(`no comma and no line end at ${end}: ${JSON.stringify(text.slice(end, end + 40))}`);
  }
  if (record.length > 0) throw new Error('the last line has no end');
  return records;
}

function quotedCell(text: string, start: number): [string, number] {
  let cell = '';
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== '"') cell += text[at];
    else if (text[at + 1] === '"') {
      cell += '"';
      at++;
    } else return [cell, at + 1];
  }
  throw new Error('a quote is not closed');
}

function bareCell(text: string, start: number): [string, number] {
  BARE.lastIndex = start;
  const [cell] = BARE.exec(text) as RegExpExecArray;
  return [cell, start + cell.length];
}
const BARE = /[^",\r\n]*/y;

/** The rows by the names of the header. */
export function readCsv(text: string): { header: string[]; rows: Array<Record<string, string>> } {
  const [header = [], ...records] = parseCsv(text);
  const rows = records.map((record) => {
    if (record.length !== header.length) throw new Error(`a row of ${record.length} cells`);
    return Object.fromEntries(header.map((name, index) => [name, record[index] as string]));
  });
  return { header, rows };
}
