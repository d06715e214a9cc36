import type { Spending } from '../../cards/card-facts.ts';
import type { Day } from '../../kernel/calendar.ts';

/** A part of a purchase that counts in the card's limits on a day. */
export interface Counted {
  day: Day;
  minor: bigint;
  /** Absent: no velocity counts it. */
  mark?: Mark;
}

/** How a part of a transaction counts in velocities. */
export interface Mark {
  /** When it was attempted, in milliseconds. No other part of the transaction has this time. */
  atMs: number;
  /** The numbers of the velocities whose `where` the attempt met. */
  velocities: readonly number[];
  /** Of a purchase: what made it count, or more of it. */
  kind: 'purchase' | 'more' | 'decline';
}

const monthOf = (day: Day): string => day.slice(0, 7);

/** The sums on a day. The clocks of two servers may differ a little, so the day never goes back. */
export function spendingOn(spending: Spending, today: Day): Spending {
  const { day, daySpentMinor, monthSpentMinor, totalSpentMinor } = spending;
  if (today <= day) return { day, daySpentMinor, monthSpentMinor, totalSpentMinor };
  return {
    day: today,
    daySpentMinor: 0n,
    monthSpentMinor: monthOf(today) === monthOf(day) ? monthSpentMinor : 0n,
    totalSpentMinor,
  };
}

/** The sums after a purchase has changed: without what counted before, with what counts now. */
export function recount(
  spending: Spending,
  today: Day,
  before: readonly Counted[],
  after: readonly Counted[],
): Spending {
  const sums = spendingOn(spending, today);
  const add = ({ day, minor }: Counted, sign: bigint) => {
    sums.totalSpentMinor += sign * minor;
    if (monthOf(day) === monthOf(sums.day)) sums.monthSpentMinor += sign * minor;
    if (day === sums.day) sums.daySpentMinor += sign * minor;
  };
  for (const part of before) add(part, -1n);
  for (const part of after) add(part, 1n);
  return sums;
}

/** Adds an amount on a day. */
export function countOn(counted: readonly Counted[], day: Day, minor: bigint, mark?: Mark): Counted[] {
  if (minor === 0n && !mark) return [...counted];
  const isSame = (part: Counted) => part.day === day && part.mark?.atMs === mark?.atMs;
  const known = counted.some(isSame);
  const added: Counted[] = known ? [...counted] : [...counted, { day, minor: 0n, ...(mark && { mark }) }];
  return added.map((part) => (isSame(part) ? { ...part, minor: part.minor + minor } : part));
}

/** Gives back an amount: first what counted on `day`, then from the newest day to the oldest. */
export function uncount(counted: readonly Counted[], minor: bigint, day?: Day): Counted[] {
  let left = minor;
  const take = (part: Counted): Counted => {
    const taken = left < part.minor ? left : part.minor;
    left -= taken;
    return { ...part, minor: part.minor - taken };
  };
  const newestFirst = [...counted].reverse();
  return newestFirst
    .map((part) => (part.day === day ? take(part) : part))
    .map(take)
    .reverse()
    .filter(({ minor: partMinor, mark }) => partMinor > 0n || mark);
}
