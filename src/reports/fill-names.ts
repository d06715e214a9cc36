import { csvCell } from './csv.ts';
import { createNameTable, type NameTable, NONE } from './name-table.ts';
import { NAME_MARK } from './report-queries.ts';

/** Names of cardholders by card; they are sealed, and only floor 9 can have them opened. */
export type NamesOf = (programId: string, cardIds: string[]) => Promise<Map<string, string>>;

type NamesOfCards = (cardIds: string[]) => Promise<Map<string, string>>;

/** Looked at in one go: enough for a good handful of names to be opened together, little beside what a process has. */
const STRETCH_BYTES = 64 * 1024;
/** Kept names: a card is met many times in a report. In all some ten megabytes. */
const NAMES_KEPT = 100_000;
/** Opened together: few enough to be garbage again before the collector takes them for something that stays. */
const NAMES_AT_ONCE = 64;
const LINE_FEED = 10;
const LINE_END = 0x0d0a;
const MARK = NAME_MARK.charCodeAt(0);
const MARKED_LENGTH = 1 + 36;

/**
 * Puts the names where PostgreSQL left a mark, and ends the lines as RFC 4180 wants them. The rows are not taken apart:
 * they are bytes, and all that is looked for in them are marks and line feeds, which no text holds.
 */
export async function* fillNames(rows: AsyncIterable<Buffer>, namesOf: NamesOfCards): AsyncGenerator<Buffer> {
  let names = createNameTable(NAMES_KEPT);
  const fill = async (stretch: Buffer) => {
    const marks = placesOf(MARK, stretch, MARKED_LENGTH);
    let missing = missingOf(names, stretch, marks);
    // Where there would be too many, those of before are forgotten.
    if (names.count() + missing.length > NAMES_KEPT) {
      names = createNameTable(NAMES_KEPT);
      missing = missingOf(names, stretch, marks);
    }
    await addNames(names, missing, namesOf);
    return writeOut(stretch, marks, names);
  };
  // The same memory for every stretch: it is copied out of, and buffers are garbage that the collector notices late.
  let stretch = Buffer.alloc(2 * STRETCH_BYTES);
  let filled = 0;
  for await (const chunk of rows) {
    if (filled + chunk.length > stretch.length)
      stretch = Buffer.concat([stretch.subarray(0, filled)], filled + chunk.length + STRETCH_BYTES);
    filled += chunk.copy(stretch, filled);
    if (filled < STRETCH_BYTES) continue;
    const end = stretch.lastIndexOf(LINE_FEED, filled - 1) + 1;
    yield await fill(stretch.subarray(0, end));
    stretch.copyWithin(0, end, filled);
    filled -= end;
  }
  yield await fill(stretch.subarray(0, filled));
}

/** The ids at the marks whose names are not known yet. */
function missingOf(names: NameTable, stretch: Buffer, marks: readonly number[]): string[] {
  const unknown = marks.filter((mark) => names.find(stretch, mark + 1) === NONE);
  return [...new Set(unknown.map((mark) => stretch.toString('latin1', mark + 1, mark + MARKED_LENGTH)))];
}

async function addNames(names: NameTable, cardIds: string[], namesOf: NamesOfCards): Promise<void> {
  for (let at = 0; at < cardIds.length; at += NAMES_AT_ONCE) {
    const some = cardIds.slice(at, at + NAMES_AT_ONCE);
    const found = await namesOf(some);
    for (const cardId of some) names.add(cardId, csvCell(found.get(cardId) ?? ''));
  }
}

/** Copies piece by piece, without a text in between: a large text for every stretch would keep the collector busy. */
function writeOut(stretch: Buffer, marks: readonly number[], names: NameTable): Buffer {
  const slots = marks.map((mark) => names.find(stretch, mark + 1));
  const nameBytes = slots.reduce((sum, slot) => sum + names.lengthOf(slot), 0);
  const lines = countOf(LINE_FEED, stretch);
  const out = Buffer.allocUnsafe(stretch.length - marks.length * MARKED_LENGTH + nameBytes + lines);
  let [from, to, place] = [0, 0, 0];
  for (let end = stretch.indexOf(LINE_FEED); end !== -1; end = stretch.indexOf(LINE_FEED, from)) {
    for (let mark = marks[place]; mark !== undefined && mark < end; mark = marks[++place]) {
      to += stretch.copy(out, to, from, mark);
      to += names.copyName(slots[place] as number, out, to);
      from = mark + MARKED_LENGTH;
    }
    to += stretch.copy(out, to, from, end);
    to = out.writeUInt16BE(LINE_END, to);
    from = end + 1;
  }
  if (from !== stretch.length) throw new Error('the rows ended in the middle of a line');
  return out;
}

function placesOf(byte: number, bytes: Buffer, width: number): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + width)) places.push(at);
  return places;
}

export function countOf(byte: number, bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}
