const MOST_KEPT = 1_000;

/** The same function, which computes the result of a text once and forgets everything when it knows too many. */
export function remembered<Result>(compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const result = known.get(text);
    if (result !== undefined) return result;
    const computed = compute(text);
    if (known.size >= MOST_KEPT) known.clear();
    known.set(text, computed);
    return computed;
  };
}
