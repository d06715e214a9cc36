import { isUtf8 } from 'node:buffer';
import { EmbossError, invalid } from '../kernel/error.ts';

const MOST_DEPTH = 32;
const MOST_VALUES = 2_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const SPACE = 0x20;
const DELETE = 0x7f;

export interface Scan {
  /** False if every text is plain ASCII without escapes, which needs no further check. */
  hasOddText: boolean;
  /** The values of the secret fields. */
  secrets: Map<string, Buffer>;
}

/**
 * Scans the bytes of a JSON text once, before it is parsed: bounds its depth and its number of values (objects and arrays
 * count by their contents), and refuses a key that occurs twice in one object. `JSON.parse` checks the syntax.
 *
 * Moves the top-level values of `secretFields` into buffers of their own, because buffers can be overwritten and strings
 * cannot. In `body` a text of the same length and kind replaces them: `0` for a digit, `x` for anything else.
 */
export function scanJson(
  body: Buffer,
  secretFields: ReadonlySet<string> = NONE,
  secrets = new Map<string, Buffer>(),
): Scan {
  const scan: Scan = { hasOddText: false, secrets };
  /** The keys of each open object; null for an array. */
  const open: Array<Set<string> | null> = [];
  let values = 0;
  let key = '';
  let isKey = false;
  let isEmpty = true;
  const countValue = () => {
    if (++values > MOST_VALUES)
      throw new EmbossError(400, `body: must contain at most ${MOST_VALUES} values`);
  };
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] as number;
    if (byte <= SPACE) continue;
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (open.length === MOST_DEPTH)
        throw new EmbossError(400, `body: must not be nested deeper than ${MOST_DEPTH}`);
      open.push(byte === OPEN_OBJECT ? new Set() : null);
      isKey = byte === OPEN_OBJECT;
      isEmpty = true;
      continue;
    }
    if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      open.pop();
      if (isEmpty) countValue();
      isKey = false;
      isEmpty = false;
      continue;
    }
    if (byte === COMMA) isKey = open.at(-1) instanceof Set;
    else if (byte === COLON) isKey = false;
    else if (byte === QUOTE) {
      const end = endOfString(body, at, scan);
      const keys = open.at(-1);
      if (isKey && keys) {
        key = hasEscape(body, at, end) ? unescaped(body, at, end) : body.toString('utf8', at + 1, end);
        if (keys.has(key)) throw new EmbossError(400, 'body: must not have the same key twice in one object');
        keys.add(key);
      } else {
        countValue();
        if (open.length === 1 && secretFields.has(key)) scan.secrets.set(key, liftSecret(key, body, at, end));
      }
      isEmpty = false;
      at = end;
    } else {
      countValue();
      isEmpty = false;
      at = endOfWord(body, at);
    }
  }
  return scan;
}

const NONE: ReadonlySet<string> = new Set();

const hasEscape = (body: Buffer, quote: number, end: number): boolean =>
  body.subarray(quote + 1, end).includes(BACKSLASH);

/** The position of the closing quote, or the end of the body if there is none. */
function endOfString(body: Buffer, start: number, scan: Scan): number {
  for (let at = start + 1; at < body.length; at++) {
    const byte = body[at] as number;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
    if (byte === BACKSLASH || byte >= DELETE) scan.hasOddText = true;
  }
  return body.length;
}

/** The last byte of a number, `true`, `false`, `null` or an invalid token. */
function endOfWord(body: Buffer, start: number): number {
  let at = start;
  for (; at + 1 < body.length; at++) {
    const next = body[at + 1] as number;
    if (next <= SPACE || next === COMMA || next === COLON || next === QUOTE) return at;
    if (next === OPEN_OBJECT || next === CLOSE_OBJECT || next === OPEN_ARRAY || next === CLOSE_ARRAY)
      return at;
  }
  return at;
}

/** A text with escapes. */
function unescaped(body: Buffer, quote: number, end: number): string {
  try {
    return JSON.parse(`"${body.toString('utf8', quote + 1, end)}"`) as string;
  } catch {
    throw new EmbossError(400, 'body: must be JSON');
  }
}

/**
 * Moves the text between two quotes into a buffer of its own. The replacement is never longer; spaces after its closing
 * quote fill the rest. A text with escapes (a password with a quote in it) passes through a string.
 */
function liftSecret(field: string, body: Buffer, quote: number, end: number): Buffer {
  const place = body.subarray(quote + 1, end);
  const text = place.includes(BACKSLASH) ? unescaped(body, quote, end) : undefined;
  const value = Buffer.from(text ?? place);
  // The replacement hides the text from later checks, so it is checked here.
  if (!isUtf8(value) || text?.isWellFormed() === false)
    throw invalid(field, 'must not contain invalid characters');
  let length = 0;
  place.fill(SPACE);
  for (const [at, byte] of value.entries()) {
    if (byte < SPACE || byte === DELETE || (byte === 0xc2 && (value[at + 1] as number) < 0xa0))
      throw invalid(field, 'must not contain control characters');
    // Every byte that is not a UTF-8 continuation byte starts a character.
    if ((byte & 0xc0) !== 0x80) place[length++] = byte >= 0x30 && byte <= 0x39 ? 0x30 : 0x78;
  }
  if (end < body.length) {
    body[end] = SPACE;
    body[quote + 1 + length] = QUOTE;
  }
  return value;
}
