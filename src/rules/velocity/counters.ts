import type { Velocity } from '../language/condition.ts';
import { changedEntries, type Entry, type EntryChange } from './entries.ts';
import type { EntryRow, StoredEntry, StoredSum, SumsRow } from './queries.ts';
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

const NO_ENTRIES: readonly Entry[] = [];

/** Sums of velocities that no rule uses any more are left out. */
function readRow(
  velocities: Counters['velocities'],
  { sums: stored, leaving }: SumsRow,
  nowMs: number,
): Map<number, Sum> {
  const left = leaving && entriesByNumber(leaving);
  const sums = new Map<number, Sum>();
  for (const key in stored) {
    const number = Number(key);
    const velocity = velocities.get(number);
    if (!velocity) continue;
    const [sinceMs, count, minor] = stored[key] as StoredSum;
    const sum = { sinceMs, count, minor: BigInt(minor) };
    sums.set(number, advanceSum(sum, velocity.window, nowMs, left?.get(number) ?? NO_ENTRIES));
  }
  return sums;
}

function entriesByNumber(leaving: readonly StoredEntry[]): Map<number, Entry[]> {
  const entries = new Map<number, Entry[]>();
  for (const [number, atMs, count, minor] of leaving) {
    const entry = { atMs, count, minor: BigInt(minor), velocities: [] };
    const known = entries.get(number);
    if (known) known.push(entry);
    else entries.set(number, [entry]);
  }
  return entries;
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
  for (const entry of before) if (entry.velocities.includes(number)) sum = withEntry(sum, entry, -1);
  for (const entry of after) if (entry.velocities.includes(number)) sum = withEntry(sum, entry, 1);
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
  for (const change of changedEntries(before, after)) countEntry(counters, subjects, transactionId, change);
}

function countEntry(
  counters: Counters,
  subjects: Subjects,
  transactionId: string,
  { before, after }: EntryChange,
): void {
  // Only windows of minutes read entries again.
  const kept = new Map<Subject, number[]>();
  for (const number of after.velocities) {
    const velocity = counters.velocities.get(number);
    if (!velocity) continue;
    const subject = subjects[velocity.per];
    let sum = sumOf(counters, subject, number, velocity);
    if (before?.velocities.includes(number)) sum = withEntry(sum, before, -1);
    setSum(counters, subject, number, withEntry(sum, after, 1));
    if (!('minutes' in velocity.window)) continue;
    const known = kept.get(subject);
    if (known) known.push(number);
    else kept.set(subject, [number]);
  }
  const { atMs, count, minor } = after;
  for (const [subject, velocities] of kept)
    counters.changedEntries.set(`${subject}/${transactionId}/${atMs}`, {
      subject,
      transactionId,
      atMs,
      count,
      minor,
      velocities,
    });
}

function setSum({ sums, changedSums }: Counters, subject: Subject, number: number, sum: Sum): void {
  const known = sums.get(subject);
  if (known) known.set(number, sum);
  else sums.set(subject, new Map([[number, sum]]));
  changedSums.add(subject);
}
