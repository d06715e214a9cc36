import { csvCell } from './csv.ts';
import { NAME_MARK } from './queries.ts';

/** Names of cardholders by card; they are sealed, and only floor 9 can have them opened. */
export type NamesOf = (programId: string, cardIds: string[]) => Promise<Map<string, string>>;

/** Looked at in one go: enough for a good handful of names to be opened together, little beside what a process has. */
const STRETCH_BYTES = 128 * 1024;
/** Kept names: a card is met many times in a report. In all some fifteen megabytes. */
const NAMES_KEPT = 100_000;
const LINE_FEED = 10;
const MARKED = new RegExp(`${NAME_MARK}([0-9a-f-]{36})`, 'g');

/**
 * Puts the names where PostgreSQL left a mark, and ends the lines as RFC 4180 wants them. The rows are not taken apart:
 * they are bytes, and all that is looked for in them are marks and line feeds, which no text holds.
 */
export async function* fillNames(
  rows: AsyncIterable<Buffer>,
  namesOf: (cardIds: string[]) => Promise<Map<string, string>>,
): AsyncGenerator<Buffer> {
  const cells = new Map<string, string>();
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of rows) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < STRETCH_BYTES) continue;
    const stretch = Buffer.concat(waiting);
    const end = stretch.lastIndexOf(LINE_FEED) + 1;
    yield await fillStretch(stretch.subarray(0, end), cells, namesOf);
    waiting = [stretch.subarray(end)];
    bytes = stretch.length - end;
  }
  yield await fillStretch(Buffer.concat(waiting), cells, namesOf);
}

async function fillStretch(
  stretch: Buffer,
  cells: Map<string, string>,
  namesOf: (cardIds: string[]) => Promise<Map<string, string>>,
): Promise<Buffer> {
  // One character per byte: whatever the bytes mean, they come out as they went in.
  const text = stretch.toString('latin1');
  const cardIds = new Set<string>();
  for (const [, cardId] of text.matchAll(MARKED)) cardIds.add(cardId as string);
  await openNames([...cardIds], cells, namesOf);
  const named = text.replace(MARKED, (_mark: string, cardId: string) => cells.get(cardId) ?? '');
  return Buffer.from(named.replaceAll('\n', '\r\n'), 'latin1');
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
