import type { Velocity } from '../language/condition.ts';
import { changedEntries, type Entry } from './entries.ts';
import type { EntryRow, SumsRow } from './queries.ts';
import type { Subject, Subjects } from './subjects.ts';
import { advanceSum, emptySum, measured, type Sum, withEntry } from './sums.ts';

/** The running sums of some subjects at one time, with the changes to write. */
export interface Counters {
  velocities: ReadonlyMap<number, Velocity>;
  nowMs: number;
  sums: Map<Subject, Map<number, Sum>>;
  changedSums: Set<Subject>;
  changedEntries: Map<string, EntryRow>;
}

export function openCounters(
  velocities: Counters['velocities'],
  rows: readonly SumsRow[],
  nowMs: number,
): Counters {
  const sums = new Map(rows.map((row) => [row.subject, readRow(velocities, row, nowMs)]));
  return { velocities, nowMs, sums, changedSums: new Set(), changedEntries: new Map() };
}

/** Sums of velocities that no rule uses any more are left out. */
function readRow(
  velocities: Counters['velocities'],
  { sums, leaving }: SumsRow,
  nowMs: number,
): Map<number, Sum> {
  const left = groupBy(leaving ?? [], ([number]) => number);
  return new Map(
    Object.entries(sums).flatMap(([key, [sinceMs, count, minor]]) => {
      const number = Number(key);
      const velocity = velocities.get(number);
      if (!velocity) return [];
      const entries = (left.get(number) ?? []).map(([, atMs, ...counts]) => ({
        atMs,
        count: counts[0],
        minor: BigInt(counts[1]),
        velocities: [],
      }));
      return [
        [number, advanceSum({ sinceMs, count, minor: BigInt(minor) }, velocity.window, nowMs, entries)],
      ];
    }),
  );
}

const sumOf = ({ sums, nowMs }: Counters, subject: Subject, number: number, { window }: Velocity): Sum =>
  sums.get(subject)?.get(number) ?? emptySum(window, nowMs);

/** What a velocity counts if a transaction's entries change so. */
export function valueWith(
  counters: Counters,
  subjects: Subjects,
  number: number,
  before: readonly Entry[],
  after: readonly Entry[],
): bigint {
  const velocity = counters.velocities.get(number) as Velocity;
  let sum = sumOf(counters, subjects[velocity.per], number, velocity);
  const own = ({ velocities }: Entry) => velocities.includes(number);
  for (const entry of before.filter(own)) sum = withEntry(sum, entry, -1);
  for (const entry of after.filter(own)) sum = withEntry(sum, entry, 1);
  return measured(velocity, sum);
}

/** Counts the change of a transaction. */
export function countChange(
  counters: Counters,
  subjects: Subjects,
  transactionId: string,
  before: readonly Entry[],
  after: readonly Entry[],
): void {
  for (const change of changedEntries(before, after))
    for (const [subject, numbers] of bySubject(counters, subjects, change.after)) {
      const sums = counters.sums.get(subject) ?? new Map<number, Sum>();
      for (const number of numbers) {
        let sum = sumOf(counters, subject, number, counters.velocities.get(number) as Velocity);
        if (change.before?.velocities.includes(number)) sum = withEntry(sum, change.before, -1);
        sums.set(number, withEntry(sum, change.after, 1));
      }
      counters.sums.set(subject, sums);
      counters.changedSums.add(subject);
      noteEntry(counters, { ...change.after, subject, transactionId, velocities: numbers });
    }
}

function bySubject(
  { velocities }: Counters,
  subjects: Subjects,
  entry: Entry,
): Map<Subject, readonly number[]> {
  const known = entry.velocities.filter((number) => velocities.has(number));
  return groupBy(known, (number) => subjects[(velocities.get(number) as Velocity).per]);
}

/** Only windows of minutes read entries again. */
function noteEntry({ velocities, changedEntries: rows }: Counters, row: EntryRow): void {
  const numbers = row.velocities.filter((number) => 'minutes' in (velocities.get(number) as Velocity).window);
  if (numbers.length === 0) return;
  const stored = { ...row, velocities: numbers };
  rows.set(`${row.subject}/${row.transactionId}/${row.atMs}`, stored);
}

function groupBy<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
