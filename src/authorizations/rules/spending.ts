import type { Spending } from '../../cards/card-facts.ts';
import type { Day } from '../../kernel/calendar.ts';

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

export function spend(spending: Spending, today: Day, billMinor: bigint): Spending {
  const now = spendingOn(spending, today);
  return {
    day: now.day,
    daySpentMinor: now.daySpentMinor + billMinor,
    monthSpentMinor: now.monthSpentMinor + billMinor,
    totalSpentMinor: now.totalSpentMinor + billMinor,
  };
}

/** Subtracts an amount that was approved on a day from the sums that still include that day. */
export function unspend(spending: Spending, approvedOn: Day, billMinor: bigint): Spending {
  const { day, daySpentMinor, monthSpentMinor, totalSpentMinor } = spending;
  return {
    day,
    daySpentMinor: day === approvedOn ? daySpentMinor - billMinor : daySpentMinor,
    monthSpentMinor: monthOf(day) === monthOf(approvedOn) ? monthSpentMinor - billMinor : monthSpentMinor,
    totalSpentMinor: totalSpentMinor - billMinor,
  };
}
