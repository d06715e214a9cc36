import { csvCell } from './csv.ts';
import { NAME_MARK } from './report-queries.ts';

/** Names of cardholders by card; they are sealed, and only floor 9 can have them opened. */
export type NamesOf = (programId: string, cardIds: string[]) => Promise<Map<string, string>>;

/** Looked at in one go: enough for a good handful of names to be opened together, little beside what a process has. */
const STRETCH_BYTES = 64 * 1024;
/** Kept names: a card is met many times in a report. In all some fifteen megabytes. */
const NAMES_KEPT = 100_000;
const LINE_FEED = 10;
const LINE_END = 0x0d0a;
const MARK = NAME_MARK.charCodeAt(0);
const MARKED_LENGTH = 1 + 36;

/**
 * Puts the names where PostgreSQL left a mark, and ends the lines as RFC 4180 wants them. The rows are not taken apart:
 * they are bytes, and all that is looked for in them are marks and line feeds, which no text holds.
 */
export async function* fillNames(
  rows: AsyncIterable<Buffer>,
  namesOf: (cardIds: string[]) => Promise<Map<string, string>>,
): AsyncGenerator<Buffer> {
  const cells = new Map<string, string>();
  // The same memory for every stretch: it is copied out of, and buffers are garbage that the collector notices late.
  let stretch = Buffer.alloc(2 * STRETCH_BYTES);
  let filled = 0;
  for await (const chunk of rows) {
    if (filled + chunk.length > stretch.length)
      stretch = Buffer.concat([stretch.subarray(0, filled)], filled + chunk.length + STRETCH_BYTES);
    filled += chunk.copy(stretch, filled);
    if (filled < STRETCH_BYTES) continue;
    const end = stretch.lastIndexOf(LINE_FEED, filled - 1) + 1;
    yield await fillStretch(stretch.subarray(0, end), cells, namesOf);
    stretch.copyWithin(0, end, filled);
    filled -= end;
  }
  yield await fillStretch(stretch.subarray(0, filled), cells, namesOf);
}

async function fillStretch(
  stretch: Buffer,
  cells: Map<string, string>,
  namesOf: (cardIds: string[]) => Promise<Map<string, string>>,
): Promise<Buffer> {
  const cardIds: string[] = [];
  for (let at = stretch.indexOf(MARK); at !== -1; at = stretch.indexOf(MARK, at + MARKED_LENGTH))
    cardIds.push(stretch.toString('latin1', at + 1, at + MARKED_LENGTH));
  await openNames([...new Set(cardIds)], cells, namesOf);
  const names = cardIds.map((cardId) => cells.get(cardId) ?? '');
  return writeOut(
    stretch,
    names,
    names.reduce((sum, name) => sum + name.length, 0),
  );
}

/** Copies piece by piece, without a text in between: a large text for every stretch would keep the collector busy. */
function writeOut(stretch: Buffer, names: readonly string[], nameBytes: number): Buffer {
  const lines = countOf(LINE_FEED, stretch);
  const out = Buffer.allocUnsafe(stretch.length - names.length * MARKED_LENGTH + nameBytes + lines);
  let [from, to] = [0, 0];
  let mark = stretch.indexOf(MARK);
  let place = 0;
  for (let end = stretch.indexOf(LINE_FEED); end !== -1; end = stretch.indexOf(LINE_FEED, from)) {
    for (; mark !== -1 && mark < end; mark = stretch.indexOf(MARK, from)) {
      to += stretch.copy(out, to, from, mark);
      to += out.write(names[place++] as string, to, 'latin1');
      from = mark + MARKED_LENGTH;
    }
    to += stretch.copy(out, to, from, end);
    to = out.writeUInt16BE(LINE_END, to);
    from = end + 1;
  }
  if (from !== stretch.length) throw new Error('the rows ended in the middle of a line');
  return out;
}

/** Brings in what is missing; where there would be too many, those of before are forgotten. */
async function openNames(
  cardIds: string[],
  cells: Map<string, string>,
  namesOf: (cardIds: string[]) => Promise<Map<string, string>>,
): Promise<void> {
  let missing = cardIds.filter((cardId) => !cells.has(cardId));
  if (missing.length === 0) return;
  if (cells.size + missing.length > NAMES_KEPT) {
    cells.clear();
    missing = cardIds;
  }
  // Kept under the ids that come back: those cut out of the text would hold on to all of it.
  for (const [cardId, name] of await namesOf(missing))
    cells.set(cardId, Buffer.from(csvCell(name)).toString('latin1'));
}

export function countOf(byte: number, bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}
