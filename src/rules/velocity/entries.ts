/** What one attempt or clearing counts in velocities. */
export interface Entry {
  /** Its time, which names it among those of its transaction: two in one millisecond get two times. */
  atMs: number;
  /** Of purchases and declined attempts; 0 for an increment, or while nothing of the purchase is held or cleared. */
  count: number;
  minor: bigint;
  /** The numbers of the velocities whose `where` it met. */
  velocities: readonly number[];
}

export interface EntryChange {
  before: Entry | undefined;
  after: Entry;
}

/** The entries that a change of a transaction changes. One that is not there any more counts nothing. */
export function changedEntries(before: readonly Entry[], after: readonly Entry[]): EntryChange[] {
  const old = new Map(before.map((entry) => [entry.atMs, entry]));
  const changes: EntryChange[] = [];
  for (const entry of after) {
    const was = old.get(entry.atMs);
    old.delete(entry.atMs);
    // A velocity that is new counts what older ones count already, so an entry never loses one.
    const isKnown = was?.velocities.length === entry.velocities.length;
    if (!was || !isKnown || was.count !== entry.count || was.minor !== entry.minor)
      changes.push({ before: was, after: entry });
  }
  for (const gone of old.values()) changes.push({ before: gone, after: { ...gone, count: 0, minor: 0n } });
  return changes;
}
