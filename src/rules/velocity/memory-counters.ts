import type { Velocity } from '../language/condition.ts';
import { type Counters, openCounters } from './counters.ts';
import type { EntryRow } from './queries.ts';
import type { Subject, Subjects } from './subjects.ts';
import { advanceSum, windowStartMs } from './sums.ts';

/** Sums and entries of a replayed history: the counters of a batch, with memory in place of the tables. */
export interface MemoryCounters {
  counters: Counters;
  /** Lets the windows of these subjects end at a time. */
  moveTo(nowMs: number, subjects: Subjects): void;
  /** Keeps what was counted since. */
  keep(): void;
}

/** An entry can be a little older than the newest one. */
const MARGIN_MS = 3_600_000;
const SWEPT_AT = 100_000;

export function memoryCounters(velocities: ReadonlyMap<number, Velocity>): MemoryCounters {
  const counters = openCounters(velocities, [], 0);
  const minutes = [...velocities.values()].map(({ window }) => ('minutes' in window ? window.minutes : 0));
  const longestMs = Math.max(...minutes) * 60_000 + MARGIN_MS;
  const { sums, changedEntries } = counters;
  const entries = new Map<Subject, EntryRow[]>();
  let sweptAt = SWEPT_AT;

  function moveSubject(subject: Subject): void {
    const known = sums.get(subject);
    if (!known) return;
    for (const [number, sum] of known) {
      const { window } = velocities.get(number) as Velocity;
      const untilMs = windowStartMs(window, counters.nowMs);
      if (untilMs <= sum.sinceMs) continue;
      const leaving = between(entries.get(subject) ?? [], sum.sinceMs, untilMs).filter((entry) =>
        entry.velocities.includes(number),
      );
      known.set(number, advanceSum(sum, window, counters.nowMs, leaving));
    }
  }

  function keepEntry(row: EntryRow): void {
    const known = entries.get(row.subject);
    if (!known) return void entries.set(row.subject, [row]);
    let index = firstFrom(known, row.atMs);
    const isAt = (each: EntryRow | undefined) => each?.atMs === row.atMs;
    while (isAt(known[index]) && known[index]?.transactionId !== row.transactionId) index++;
    known.splice(index, isAt(known[index]) ? 1 : 0, row);
    const old = firstFrom(known, counters.nowMs - longestMs);
    if (old > 64) known.splice(0, old);
  }

  /** Subjects that count nothing in any window. */
  function sweep(): void {
    for (const [subject, known] of sums) {
      moveSubject(subject);
      if ([...known.values()].some(({ count, minor }) => count !== 0 || minor !== 0n)) continue;
      sums.delete(subject);
      const newest = entries.get(subject)?.at(-1);
      if (!newest || newest.atMs < counters.nowMs - longestMs) entries.delete(subject);
    }
    sweptAt = Math.max(SWEPT_AT, sums.size * 2);
  }

  return {
    counters,
    moveTo(nowMs, subjects) {
      counters.nowMs = nowMs;
      for (const subject of Object.values(subjects)) moveSubject(subject);
    },
    keep() {
      for (const row of changedEntries.values()) keepEntry(row);
      changedEntries.clear();
      counters.changedSums.clear();
      if (sums.size > sweptAt) sweep();
    },
  };
}

/** The place of the first entry that is not before a time. */
function firstFrom(rows: readonly EntryRow[], atMs: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as EntryRow).atMs < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

const between = (rows: readonly EntryRow[], fromMs: number, belowMs: number): EntryRow[] =>
  rows.slice(firstFrom(rows, fromMs), firstFrom(rows, belowMs));
