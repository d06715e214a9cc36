/** Control characters of every kind, NUL and the second block (C1) among them. */
const CONTROL = /\p{Cc}/u;

/** Text that may be stored, shown and printed: no control character, no half of a surrogate pair. */
export const isCleanText = (text: string): boolean => !CONTROL.test(text) && text.isWellFormed();

/**
 * Walks a JSON value and returns the path of the first text that is not clean, or undefined. It keeps its
 * own stack, because a body of brackets alone nests deeper than the call stack reaches.
 */
export function findUncleanText(value: unknown): string | undefined {
  const pending: Array<readonly [string, unknown]> = [['', value]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [path, item] = next;
    if (typeof item === 'string' && !isCleanText(item)) return path || 'body';
    if (typeof item !== 'object' || item === null) continue;
    for (const [key, child] of Object.entries(item)) {
      if (!isCleanText(key)) return path || 'body';
      pending.push([path ? `${path}.${key}` : key, child]);
    }
  }
  return undefined;
}
