import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Spending } from '../../cards/card-facts.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { spend, spendingOn, unspend } from './spending.ts';

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
    expect(spend(spent, '2030-05-14', 1n)).toMatchObject({ day: '2030-05-15', daySpentMinor: 11n });
  });

  test('the result contains only the sums, not the rest of the card', () => {
    expect(Object.keys(spendingOn({ ...spent, availableMinor: 1n } as Spending, spent.day)).sort()).toEqual(
      Object.keys(spent).sort(),
    );
  });
});

describe('sums after a reversal', () => {
  test.each([
    ['of the same day: from all three', '2030-05-15', 9n, 199n],
    ['of an earlier day of the month: not from the day', '2030-05-01', 10n, 199n],
    ['of an earlier month: from the total alone', '2030-04-30', 10n, 200n],
    ['of the same day a year ago: from the total alone', '2029-05-15', 10n, 200n],
  ])('%s', (_name, approvedOn, daySpentMinor, monthSpentMinor) => {
    expect(unspend(spent, approvedOn, 1n)).toEqual({
      day: spent.day,
      daySpentMinor,
      monthSpentMinor,
      totalSpentMinor: 2_999n,
    });
  });
});

interface Approval {
  day: string;
  openMinor: bigint;
}

const step = fc.record({
  daysLater: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(40)),
  billMinor: fc.bigInt({ min: 0n, max: 10n ** 15n }),
  /** Which earlier approval is reversed, and how much of it in thousandths. None if it does not exist. */
  giveBack: fc.record({ place: fc.nat(20), thousandths: fc.bigInt({ min: 0n, max: 1_000n }) }),
});

test('for any sequence of approvals and reversals, the sums equal the approvals that were not reversed and are never negative', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const approvals: Approval[] = [];
      let sums: Spending = { day: '2030-01-01', daySpentMinor: 0n, monthSpentMinor: 0n, totalSpentMinor: 0n };
      let nowMs = Date.parse('2030-01-01T00:00:00Z');
      for (const { daysLater, billMinor, giveBack } of steps) {
        nowMs += daysLater * 86_400_000;
        const today = dayOf(nowMs);
        sums = spend(sums, today, billMinor);
        approvals.push({ day: today, openMinor: billMinor });
        const reversed = approvals[giveBack.place];
        if (reversed) {
          const backMinor = (reversed.openMinor * giveBack.thousandths) / 1_000n;
          sums = unspend(sums, reversed.day, backMinor);
          reversed.openMinor -= backMinor;
        }
        const sumOf = (counts: (approval: Approval) => boolean) =>
          approvals.filter(counts).reduce((sum, { openMinor }) => sum + openMinor, 0n);
        expect(sums).toEqual({
          day: today,
          daySpentMinor: sumOf(({ day }) => day === today),
          monthSpentMinor: sumOf(({ day }) => day.slice(0, 7) === today.slice(0, 7)),
          totalSpentMinor: sumOf(() => true),
        });
      }
    }),
  );
});
