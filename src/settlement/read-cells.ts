const QUOTE = 0x22;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;

/** The comma, or the semicolon that spreadsheets write in many countries: whichever the first line has. */
export const separatorOf = (head: Buffer): number =>
  !head.includes(COMMA) && head.includes(SEMICOLON) ? SEMICOLON : COMMA;

/**
 * The values of a CSV record by RFC 4180, strictly: a misplaced quote is an error and never a value. As bytes, because
 * one of them may be a card number. Returns the rule that the record breaks.
 */
export function readCells(bytes: Buffer, separator: number): Buffer[] | string {
  const cells: Buffer[] = [];
  for (let at = 0; ; at++) {
    let end = at;
    if (bytes[at] === QUOTE) {
      const close = closingQuote(bytes, at + 1);
      if (close === -1) return 'a quoted value does not end';
      cells.push(unescaped(bytes.subarray(at + 1, close)));
      end = close + 1;
    } else {
      while (end < bytes.length && bytes[end] !== separator && bytes[end] !== QUOTE) end++;
      cells.push(bytes.subarray(at, end));
    }
    if (end >= bytes.length) return cells;
    if (bytes[end] !== separator)
      return 'a value with a quote must begin and end with one, and double those inside';
    at = end;
  }
}

function closingQuote(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at !== -1; at = bytes.indexOf(QUOTE, at + 2))
    if (bytes[at + 1] !== QUOTE) return at;
  return -1;
}

function unescaped(cell: Buffer): Buffer {
  if (!cell.includes(QUOTE)) return cell;
  const kept: number[] = [];
  for (let at = 0; at < cell.length; at++) {
    kept.push(cell[at] as number);
    if (cell[at] === QUOTE) at++;
  }
  return Buffer.from(kept);
}
