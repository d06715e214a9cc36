import { csvCell } from './csv.ts';
import { NAME_MARK } from './report-queries.ts';

/** Cardholder names by card. The names are sealed; only floor 9 can open them. */
export type NamesOf = (programId: string, cardIds: string[]) => Promise<Map<string, string>>;

type NamesOfCards = (cardIds: string[]) => Promise<Map<string, string>>;

/** Bytes processed at a time: enough rows to open many names together, and little memory. */
const PIECE_BYTES = 64 * 1024;
/** Names cached per report, about 20 MB: most cards occur many times in a report. */
const NAMES_KEPT = 100_000;
/**
 * Names opened together. The number is small, so that they are collected before V8 moves them to the old generation.
 */
const NAMES_AT_ONCE = 64;
const LINE_FEED = 10;
const TO_REPLACE = new RegExp(`${NAME_MARK}(.{36})|\n`, 'g');

/**
 * Replaces each mark from PostgreSQL by the cardholder's name, and each line feed by CRLF, as RFC 4180 requires. No
 * text in a row contains a mark or a line feed.
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
  for (let index = 0; index < missing.length; index += NAMES_AT_ONCE) {
    const found = await namesOf(missing.slice(index, index + NAMES_AT_ONCE));
    // Uses the ids from the result: the ids from `rows` are slices of a large string and would keep all of it in
    // memory.
    for (const [cardId, name] of found) names.set(cardId, csvCell(name));
  }
  return Buffer.from(
    rows.replace(TO_REPLACE, (_, cardId?: string) => (cardId ? (names.get(cardId) ?? '') : '\r\n')),
  );
}
