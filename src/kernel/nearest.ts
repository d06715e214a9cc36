/** The one of the names that takes the fewest typing errors to become `text`; undefined if none is close. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const typed = text.toLowerCase();
  const [best] = names
    // As many letters were added or left out at least: comparing a long text letter by letter would take seconds.
    .filter((name) => Math.abs(typed.length - name.length) * 2 <= Math.max(typed.length, name.length))
    .map((name) => ({ name, errors: typingErrors(typed, name.toLowerCase()) }))
    .filter(({ name, errors }) => errors * 2 <= Math.max(typed.length, name.length))
    .sort((a, b) => a.errors - b.errors);
  return best?.name;
}

/** Letters that were left out, added, replaced or swapped with the next one. */
function typingErrors(a: string, b: string): number {
  let [older, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const at = (line: number[] | undefined, index: number) => line?.[index] ?? Number.POSITIVE_INFINITY;
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        replaced,
        at(last, j) + 1,
        at(row, j - 1) + 1,
        isSwapped ? at(older, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [older, last] = [last, row];
  }
  return last?.[b.length] ?? 0;
}
