/** A line of a file, or a record of CSV, whose quoted values may have line breaks. */
export interface RawLine {
  /** Without its line break. Overwritten once a later line is requested. */
  bytes: Buffer;
  /** From 1. */
  line: number;
  /** The position after it. */
  end: { bytes: number; line: number };
  /** It is longer than any line may be, and this is its beginning. */
  isCut: boolean;
}

export const LONGEST_LINE = 16_384;
const BREAK = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;

/**
 * The lines from a position on, however the content is cut into chunks. A line that is too long ends the reading. No copy
 * of a line stays in memory.
 */
export async function* readLines(
  content: AsyncIterable<Buffer>,
  { isCsv, from = { bytes: 0, line: 0 } }: { isCsv: boolean; from?: { bytes: number; line: number } },
): AsyncGenerator<RawLine> {
  let { bytes: position, line } = from;
  let rest: Buffer = Buffer.alloc(0);
  const lineAt = (data: Buffer, start: number, end: number, next: number, isCut: boolean): RawLine => {
    const hasReturn = next > end && end > start && data[end - 1] === RETURN;
    const bytes = data.subarray(start, hasReturn ? end - 1 : end);
    const first = line + 1;
    line += Math.max(1, countBreaks(data, start, next));
    position += next - start;
    return { bytes, line: first, end: { bytes: position, line }, isCut };
  };
  try {
    for await (const chunk of content) {
      const data: Buffer = Buffer.concat([rest, chunk]);
      rest.fill(0);
      let start = 0;
      try {
        for (;;) {
          const end = isCsv ? endOfRecord(data, start) : data.indexOf(BREAK, start);
          if (end === -1 || end - start > LONGEST_LINE) break;
          yield lineAt(data, start, end, end + 1, false);
          start = end + 1;
        }
        if (data.length - start > LONGEST_LINE) {
          yield lineAt(data, start, start + LONGEST_LINE, data.length, true);
          return;
        }
        rest = Buffer.from(data.subarray(start));
      } finally {
        data.fill(0);
      }
    }
    if (rest.length > 0) yield lineAt(rest, 0, rest.length, rest.length, false);
  } finally {
    rest.fill(0);
  }
}

/** The next line break outside of quotes; -1: not in these bytes. A doubled quote ends a value and begins it again. */
function endOfRecord(data: Buffer, start: number): number {
  let isQuoted = false;
  for (let at = start; at < data.length; at++) {
    const byte = data[at];
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === BREAK && !isQuoted) return at;
  }
  return -1;
}

function countBreaks(data: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = data.indexOf(BREAK, from); at !== -1 && at < to; at = data.indexOf(BREAK, at + 1)) count++;
  return count;
}
