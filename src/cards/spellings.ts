/** Shorter names are too similar to each other; longer words are no names. */
const SHORTEST_NAME = 4;
const LONGEST_NAME = 24;
const SHORTEST_SEARCHED = 3;

/** Whether the index finds a name also with a typo. */
export const isSpelled = (name: string): boolean =>
  [...name].length >= SHORTEST_NAME && [...name].length <= LONGEST_NAME;

/** Whether a typo in a searched word is tolerated: the word may lack a letter of the name. */
export const mayBeTypo = (searched: string): boolean =>
  [...searched].length >= SHORTEST_SEARCHED && [...searched].length <= LONGEST_NAME + 1;

/** The word, and the word without each of its letters. Two words with at most one typo between them share one of these. */
export function spellingsOf(word: string): string[] {
  const letters = [...word];
  return [...new Set([word, ...letters.map((_, index) => letters.toSpliced(index, 1).join(''))])];
}

/** Whether the searched word is the name with at most one typo: a wrong, missing or extra letter, or two swapped ones. */
export function isOneTypo(searched: string, name: string): boolean {
  const [a, b] = [[...searched], [...name]];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const isSame = (fromA: number, fromB: number) => a.slice(fromA).join('') === b.slice(fromB).join('');
  const areSwapped = a[at] === b[at + 1] && a[at + 1] === b[at];
  return (
    isSame(at + 1, at + 1) ||
    isSame(at + 1, at) ||
    isSame(at, at + 1) ||
    (areSwapped && isSame(at + 2, at + 2))
  );
}
