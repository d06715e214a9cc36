import { describe, expect, test } from 'vitest';
import type { Spending } from '../../cards/card-facts.ts';
import { countOn, recount, spendingOn, uncount } from './spending.ts';

const spent: Spending = {
  day: '2030-05-15',
  daySpentMinor: 10n,
  monthSpentMinor: 200n,
  totalSpentMinor: 3_000n,
};

describe('the sums of a day', () => {
  test.each([
    ['the same day', '2030-05-15', 10n, 200n],
    ['the next day', '2030-05-16', 0n, 200n],
    ['the last day of the month', '2030-05-31', 0n, 200n],
    ['the first of the next month', '2030-06-01', 0n, 0n],
    ['the same month of the next year', '2031-05-15', 0n, 0n],
  ])('%s', (_name, today, daySpentMinor, monthSpentMinor) => {
    expect(spendingOn(spent, today)).toEqual({
      day: today,
      daySpentMinor,
      monthSpentMinor,
      totalSpentMinor: 3_000n,
    });
  });

  test('the day never moves back: if a clock is slightly behind, the newest day counts', () => {
    expect(spendingOn(spent, '2030-05-14')).toEqual(spent);
  });

  test('the result contains only the sums, not the rest of the card', () => {
    expect(Object.keys(spendingOn({ ...spent, availableMinor: 1n } as Spending, spent.day)).sort()).toEqual(
      Object.keys(spent).sort(),
    );
  });
});

describe('sums after an amount was given back', () => {
  test.each([
    ['of the same day: from all three', '2030-05-15', 9n, 199n],
    ['of an earlier day of the month: not from the day', '2030-05-01', 10n, 199n],
    ['of an earlier month: from the total alone', '2030-04-30', 10n, 200n],
    ['of the same day a year ago: from the total alone', '2029-05-15', 10n, 200n],
  ])('%s', (_name, day, daySpentMinor, monthSpentMinor) => {
    expect(recount(spent, spent.day, [{ day, minor: 1n }], [])).toEqual({
      day: spent.day,
      daySpentMinor,
      monthSpentMinor,
      totalSpentMinor: 2_999n,
    });
  });
});

describe('the parts of a purchase', () => {
  const parts = [
    { day: '2030-05-01', minor: 5n },
    { day: '2030-05-03', minor: 7n },
  ];

  test('an amount is added to the part of its day', () => {
    expect(countOn(parts, '2030-05-01', 2n)).toEqual([{ day: '2030-05-01', minor: 7n }, parts[1]]);
    expect(countOn([], '2030-05-01', 2n)).toEqual([{ day: '2030-05-01', minor: 2n }]);
    expect(countOn(parts, '2030-05-09', 0n)).toEqual(parts);
  });

  test.each([
    ['the newest day first', 3n, undefined, [5n, 4n]],
    ['then older days', 8n, undefined, [4n]],
    ['all of it', 12n, undefined, []],
    ['the named day first', 3n, '2030-05-01', [2n, 7n]],
    ['the named day, then the newest', 9n, '2030-05-01', [3n]],
  ])('given back: %s', (_name, minor, day, left) => {
    expect(uncount(parts, minor, day).map((part) => part.minor)).toEqual(left);
  });
});
