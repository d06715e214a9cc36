import { isUtf8 } from 'node:buffer';
import { EmbossError, invalid } from '../kernel/error.ts';

const MOST_DEPTH = 32;
export const MOST_VALUES = 2_000;

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
  /** False if the body is plain ASCII without escapes, which needs no further check, or if it is not JSON. */
  hasOddText: boolean;
  /** The keys of all objects. If the parsed value has fewer, a key occurs twice in one object. */
  keys: number;
  /** The values of the secret fields. */
  secrets: Map<string, Buffer>;
}

/**
 * Scans the bytes of a JSON text once, before it is parsed: bounds its depth and its number of values (objects and arrays
 * count by their contents), and counts its keys. `JSON.parse` checks the syntax.
 *
 * Moves the top-level values of `secretFields` into buffers of their own, because buffers can be overwritten and strings
 * cannot. In `body` a text of the same length and kind replaces them: `0` for a digit, `x` for anything else.
 */
export function scanJson(
  body: Buffer,
  secretFields: ReadonlySet<string> = NONE,
  secrets = new Map<string, Buffer>(),
  mostValues = MOST_VALUES,
): Scan {
  /** Whether each open bracket is that of an object. */
  const inObject: boolean[] = [];
  let [keys, values, keyFrom, keyTo] = [0, 0, 0, 0];
  let hasOddText = false;
  let isKey = false;
  let isEscapedKey = false;
  let isEmpty = true;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index] as number;
    if (byte <= SPACE) continue;
    if (byte === QUOTE) {
      const from = index + 1;
      let isEscaped = false;
      for (index = from; index < body.length && body[index] !== QUOTE; index++) {
        if ((body[index] as number) < DELETE && body[index] !== BACKSLASH) continue;
        hasOddText = true;
        if (body[index] !== BACKSLASH) continue;
        isEscaped = true;
        index++;
      }
      // Beyond the end after a backslash at the end.
      const to = Math.min(index, body.length);
      isEmpty = false;
      if (isKey) {
        keys++;
        keyFrom = from;
        keyTo = to;
        isEscapedKey = isEscaped;
        continue;
      }
      values++;
      if (inObject.length === 1 && secretFields.size > 0) {
        const key = isEscapedKey ? textOf(body, keyFrom, keyTo) : nameAt(body, keyFrom, keyTo, secretFields);
        if (key !== undefined && secretFields.has(key)) {
          // The same key twice: refused later, and the first value must not stay in memory.
          secrets.get(key)?.fill(0);
          secrets.set(key, liftSecret(key, body, from, to));
        }
      }
    } else if (byte === COMMA) isKey = inObject.at(-1) === true;
    else if (byte === COLON) isKey = false;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (inObject.length === MOST_DEPTH)
        throw new EmbossError(400, `body: must not be nested deeper than ${MOST_DEPTH}`);
      isKey = byte === OPEN_OBJECT;
      inObject.push(isKey);
      isEmpty = true;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      inObject.pop();
      if (isEmpty) values++;
      isKey = false;
      isEmpty = false;
    } else {
      values++;
      isEmpty = false;
      if (byte >= DELETE) hasOddText = true;
      index = endOfWord(body, index);
    }
    if (values > mostValues) throw new EmbossError(400, `body: must contain at most ${mostValues} values`);
  }
  return { hasOddText, keys, secrets };
}

/** The name whose bytes these are. */
function nameAt(body: Buffer, from: number, to: number, names: ReadonlySet<string>): string | undefined {
  for (const name of names) {
    if (name.length !== to - from) continue;
    let index = 0;
    while (index < name.length && name.charCodeAt(index) === body[from + index]) index++;
    if (index === name.length) return name;
  }
  return undefined;
}

const NONE: ReadonlySet<string> = new Set();

export function parseJson(body: Buffer, { keys, hasOddText }: Pick<Scan, 'keys' | 'hasOddText'>): unknown {
  if (hasOddText && !isUtf8(body)) throw new EmbossError(400, 'body: must be UTF-8 text');
  let value: unknown;
  try {
    // Some clients send a byte order mark.
    const text = body.toString(hasOddText ? 'utf8' : 'latin1');
    value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    throw new EmbossError(400, 'body: must be JSON');
  }
  if (countKeys(value) !== keys)
    throw new EmbossError(400, 'body: must not have the same key twice in one object');
  return value;
}

/**
 * Counts the keys of all objects, and replaces values that could change a prototype: validation then refuses them in an
 * object whose keys are free, and ignores them elsewhere.
 */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  const isArray = Array.isArray(value);
  for (const key in value) {
    const child = (value as Record<string, unknown>)[key];
    if (!isArray) count++;
    count += countKeys(child);
    if (typeof child === 'object' && (key === '__proto__' || (key === 'constructor' && child !== null)))
      (value as Record<string, unknown>)[key] = false;
  }
  return count;
}

/** The last byte of a number, `true`, `false`, `null` or an invalid token. */
function endOfWord(body: Buffer, start: number): number {
  let index = start;
  for (; index + 1 < body.length; index++) {
    const next = body[index + 1] as number;
    if (next <= SPACE || next === COMMA || next === COLON || next === QUOTE) return index;
    if (next === OPEN_OBJECT || next === CLOSE_OBJECT || next === OPEN_ARRAY || next === CLOSE_ARRAY)
      return index;
  }
  return index;
}

/** The text between two quotes. */
function textOf(body: Buffer, from: number, to: number): string {
  const text = body.toString('utf8', from, to);
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    throw new EmbossError(400, 'body: must be JSON');
  }
}

/** Moves the text between two quotes into a buffer of its own. */
function liftSecret(field: string, body: Buffer, from: number, end: number): Buffer {
  if (!isPlain(body, from, end)) return liftOddSecret(field, body, from, end);
  const value = Buffer.allocUnsafe(end - from);
  for (let index = from; index < end; index++) {
    const byte = body[index] as number;
    value[index - from] = byte;
    body[index] = standIn(byte);
  }
  return value;
}

function isPlain(body: Buffer, from: number, end: number): boolean {
  for (let index = from; index < end; index++) {
    const byte = body[index] as number;
    if (byte < SPACE || byte >= DELETE || byte === BACKSLASH) return false;
  }
  return true;
}

const standIn = (byte: number): number => (byte >= 0x30 && byte <= 0x39 ? 0x30 : 0x78);

/**
 * The replacement is never longer; spaces after its closing quote fill the rest. A text with escapes (a password with a
 * quote in it) passes through a string.
 */
function liftOddSecret(field: string, body: Buffer, from: number, end: number): Buffer {
  const bytes = body.subarray(from, end);
  const text = bytes.includes(BACKSLASH) ? textOf(body, from, end) : undefined;
  const value = Buffer.from(text ?? bytes);
  // The replacement hides the text from later checks, so it is checked here.
  if (!isUtf8(value) || text?.isWellFormed() === false)
    throw invalid(field, 'must not contain invalid characters');
  let length = 0;
  bytes.fill(SPACE);
  for (let index = 0; index < value.length; index++) {
    const byte = value[index] as number;
    if (byte < SPACE || byte === DELETE || (byte === 0xc2 && (value[index + 1] as number) < 0xa0))
      throw invalid(field, 'must not contain control characters');
    // Every byte that is not a UTF-8 continuation byte starts a character.
    if ((byte & 0xc0) !== 0x80) bytes[length++] = standIn(byte);
  }
  if (end < body.length) {
    body[end] = SPACE;
    body[from + length] = QUOTE;
  }
  return value;
}
