import type { Effects } from './effects.ts';
import type { RecountRequest } from './message.ts';
import { type Counted, countOn, type Mark } from './spending.ts';
import type { TransactionRecord } from './transaction.ts';

interface RecountFacts {
  transaction: TransactionRecord;
  /** How it would count if the velocities of now had always been there. */
  replayed: readonly Counted[];
}

/** Counts a transaction in velocities that did not count it. Safe to repeat: what counts already counts once. */
export function applyRecount(
  { velocities: wanted }: RecountRequest,
  { transaction: before, replayed }: RecountFacts,
): Effects<boolean> {
  if (!isSameMoney(before.counted, replayed)) return { response: true, transfers: [] };
  const counted = replayed.reduce<Counted[]>(
    (parts, { day, minor, mark }) =>
      countOn(parts, day, minor, mark && markWith(mark, markAt(before.counted, mark.atMs), wanted)),
    [],
  );
  return { response: true, transaction: { ...before, counted }, transfers: [] };
}

const markAt = (counted: readonly Counted[], atMs: number): Mark | undefined =>
  counted.find(({ mark }) => mark?.atMs === atMs)?.mark;

/** Undefined: it counts in none of them. */
function markWith(replayed: Mark, known: Mark | undefined, wanted: readonly number[]): Mark | undefined {
  const counting = known?.velocities ?? [];
  const added = replayed.velocities.filter((number) => wanted.includes(number) && !counting.includes(number));
  const velocities = [...counting, ...added];
  return velocities.length > 0 ? { ...(known ?? replayed), velocities } : undefined;
}

/** What counts in the card's limits must not change, and nothing that counts in velocities may be lost. */
function isSameMoney(before: readonly Counted[], after: readonly Counted[]): boolean {
  const minorOf = (counted: readonly Counted[], day: string) =>
    counted.reduce((sum, part) => (part.day === day ? sum + part.minor : sum), 0n);
  const days = new Set([...before, ...after].map(({ day }) => day));
  return (
    [...days].every((day) => minorOf(before, day) === minorOf(after, day)) &&
    before.every(({ mark }) => !mark || markAt(after, mark.atMs) !== undefined)
  );
}
