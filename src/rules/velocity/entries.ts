/** What one attempt or clearing counts in velocities, at its time. */
export interface Entry {
  atMs: number;
  /** Of purchases and declined attempts; 0 for an increment, or while nothing of the purchase is held or cleared. */
  count: number;
  minor: bigint;
  /** The numbers of the velocities whose `where` it met. */
  velocities: readonly number[];
}
