/** Control characters of every kind, NUL and the second block (C1) among them. */
const CONTROL = /\p{Cc}/u;

/**
 * What cannot be seen and changes how the text around it reads: bidirectional controls, zero-width characters, line
 * separators, blank letters.
 */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const EVERY_INVISIBLE = new RegExp(INVISIBLE, 'gu');

/** Text that may be stored, shown and printed: no control character, no half of a surrogate pair. */
export const isCleanText = (text: string): boolean => !CONTROL.test(text) && text.isWellFormed();

/** Text that people read, such as a name: clean, and without invisible characters. */
export const isReadableText = (text: string): boolean => isCleanText(text) && !INVISIBLE.test(text);

/** For text that cannot be refused: a merchant's name as the network sends it. */
export const removeInvisible = (text: string): string => text.replace(EVERY_INVISIBLE, '');

/** The path of a part of a JSON value: `cards[3].kyc`. */
export const pathTo = (parent: string, key: string, isItem: boolean): string => {
  if (isItem) return `${parent}[${key}]`;
  return parent ? `${parent}.${key}` : key;
};

/** The path of the first text of a JSON value that is not clean, or (unless it may be) not readable. */
export function findUncleanText(value: unknown, mayBeInvisible = false): string | undefined {
  const isAllowed = mayBeInvisible ? isCleanText : isReadableText;
  const pending: Array<readonly [string, unknown]> = [['', value]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [path, item] = next;
    if (typeof item === 'string' && !isAllowed(item)) return path || 'body';
    if (typeof item !== 'object' || item === null) continue;
    for (const [key, child] of Object.entries(item)) {
      if (!isAllowed(key)) return path || 'body';
      pending.push([pathTo(path, key, Array.isArray(item)), child]);
    }
  }
  return undefined;
}
