import { csvCell } from './csv.ts';
import { NAME_MARK } from './report-queries.ts';

/** Names of cardholders by card; they are sealed, and only floor 9 can have them opened. */
export type NamesOf = (programId: string, cardIds: string[]) => Promise<Map<string, string>>;

type NamesOfCards = (cardIds: string[]) => Promise<Map<string, string>>;

/** Filled at a time: enough rows for many names to be opened together, little beside what a process has. */
const PIECE_BYTES = 64 * 1024;
/** Names that are kept, since most cards occur many times in a report: some 20 MB. */
const NAMES_KEPT = 100_000;
/** Opened together: few enough to be garbage again before the collector moves them to where it rarely looks. */
const NAMES_AT_ONCE = 64;
const LINE_FEED = 10;
const TO_REPLACE = new RegExp(`${NAME_MARK}(.{36})|\n`, 'g');

/**
 * Puts the names where PostgreSQL left a mark, and ends the lines as RFC 4180 wants them. Marks and line feeds are the
 * only two characters that it looks for; no text of a row holds them.
 */
export async function* fillNames(rows: AsyncIterable<Buffer>, namesOf: NamesOfCards): AsyncGenerator<Buffer> {
  const names = new Map<string, string>();
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of rows) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE_BYTES) continue;
    const piece = Buffer.concat(chunks);
    const end = piece.lastIndexOf(LINE_FEED) + 1;
    yield await fill(piece.toString('utf8', 0, end), names, namesOf);
    chunks = [piece.subarray(end)];
    bytes = piece.length - end;
  }
  const last = Buffer.concat(chunks).toString();
  if (last !== '' && !last.endsWith('\n')) throw new Error('the rows ended in the middle of a line');
  yield await fill(last, names, namesOf);
}

async function fill(rows: string, names: Map<string, string>, namesOf: NamesOfCards): Promise<Buffer> {
  const cardIds = new Set([...rows.matchAll(TO_REPLACE)].flatMap(([, cardId]) => cardId ?? []));
  let missing = [...cardIds].filter((cardId) => !names.has(cardId));
  if (names.size + missing.length > NAMES_KEPT) {
    names.clear();
    missing = [...cardIds];
  }
  for (let at = 0; at < missing.length; at += NAMES_AT_ONCE) {
    const found = await namesOf(missing.slice(at, at + NAMES_AT_ONCE));
    // By the ids of the answer: those of `rows` are parts of a large text, and would keep all of it in memory.
    for (const [cardId, name] of found) names.set(cardId, csvCell(name));
  }
  return Buffer.from(
    rows.replace(TO_REPLACE, (_, cardId?: string) => (cardId ? (names.get(cardId) ?? '') : '\r\n')),
  );
}
