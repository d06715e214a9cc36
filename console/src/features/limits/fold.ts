/** Entries that follow one another with the same key are one group. A null key is never folded. */
export function foldRepeats<Entry>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string | null,
): Entry[][] {
  const groups: Entry[][] = [];
  let last: string | null = null;
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key !== null && key === last) groups.at(-1)?.push(entry);
    else groups.push([entry]);
    last = key;
  }
  return groups;
}
