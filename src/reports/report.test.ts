import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMonths, dayOf } from '../kernel/calendar.ts';
import { FILE_TYPES, type FileType, fileNameOf, subjectOf } from './report.ts';

const LONG_AGO = '0001-01-01';
const DAY_MS = 86_400_000;
const isMonthly = (type: FileType) => type.startsWith('monthly');
const MONTHLY = FILE_TYPES.filter(isMonthly);
const DAILY = FILE_TYPES.filter((type) => !isMonthly(type));
const plusDays = (day: string, days: number) => dayOf(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);

describe('daily types: available two days after the date', () => {
  test.each([
    ['2026-11-13', '2026-11-15', true],
    ['2026-11-14', '2026-11-15', false],
    ['2026-11-15', '2026-11-15', false],
    ['2026-11-16', '2026-11-15', false],
    ['2026-02-28', '2026-03-02', true],
    ['2026-02-28', '2026-03-01', false],
    ['2028-02-28', '2028-03-01', true],
    ['2028-02-29', '2028-03-02', true],
    ['2028-02-29', '2028-03-01', false],
    ['2025-12-31', '2026-01-02', true],
    ['2025-12-31', '2026-01-01', false],
    ['2026-12-31', '2026-01-02', false],
    ['9999-12-31', '2026-01-02', false],
  ])('%s requested on %s: %s', (date, today, allowed) => {
    for (const fileType of DAILY) expectAllowed(fileType, date, today, allowed);
  });
});

describe('monthly types: available from the 2nd of the following month, and two days after the date', () => {
  test.each([
    ['2026-10-01', '2026-11-02', true],
    ['2026-10-31', '2026-11-02', true],
    ['2026-10-01', '2026-11-01', false],
    ['2026-10-31', '2026-11-01', false],
    ['2026-10-01', '2026-10-31', false],
    ['2026-10-31', '2026-12-31', true],
    ['2026-02-28', '2026-03-02', true],
    ['2026-02-01', '2026-03-01', false],
    ['2028-02-29', '2028-03-02', true],
    ['2028-02-29', '2028-03-01', false],
    ['2025-12-31', '2026-01-02', true],
    ['2025-12-31', '2026-01-01', false],
  ])('%s requested on %s: %s', (date, today, allowed) => {
    for (const fileType of MONTHLY) expectAllowed(fileType, date, today, allowed);
  });
});

function expectAllowed(fileType: FileType, date: string, today: string, allowed: boolean): void {
  const request = () => subjectOf(fileType, date, today, LONG_AGO);
  if (allowed) expect(request).not.toThrow();
  else expect(request).toThrow(/^date: /);
}

describe('a period that ended before the program was created', () => {
  const TODAY = '2026-12-15';
  const REFUSAL = 'date: must not be before the program was created (2026-10-07)';
  const request = (fileType: FileType, date: string) => () => subjectOf(fileType, date, TODAY, '2026-10-07');

  test('is refused; the day and the month of creation are not', () => {
    for (const fileType of DAILY) {
      expect(request(fileType, '2026-10-06')).toThrow(REFUSAL);
      expect(request(fileType, '0001-01-01')).toThrow(REFUSAL);
      expect(request(fileType, '2026-10-07')).not.toThrow();
    }
    for (const fileType of MONTHLY) {
      expect(request(fileType, '2026-09-30')).toThrow(REFUSAL);
      expect(request(fileType, '2026-10-01')).not.toThrow();
    }
  });
});

describe('for any date', () => {
  const day = fc.integer({ min: -50_000, max: 50_000 }).map((n) => dayOf(n * DAY_MS));

  test('a report becomes available exactly on its first day, and stays available', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FILE_TYPES),
        day,
        fc.integer({ min: -3, max: 40 }),
        (type, date, wait) => {
          const first = isMonthly(type)
            ? plusDays(addMonths(`${date.slice(0, 7)}-01`, 1), 1)
            : plusDays(date, 2);
          const today = plusDays(date, wait);
          expectAllowed(type, date, today, today >= first);
        },
      ),
    );
  });

  test('every day of a month selects the same monthly report, which covers exactly its days', () => {
    fc.assert(
      fc.property(day, (date) => {
        const today = plusDays(date, 70);
        const month = subjectOf('monthly', date, today, LONG_AGO);
        expect(subjectOf('monthly', month.firstDay, today, LONG_AGO)).toEqual(month);
        expect(subjectOf('monthly', month.lastDay, today, LONG_AGO)).toEqual(month);
        expect(month.firstDay.slice(8)).toBe('01');
        expect(plusDays(month.lastDay, 1).slice(8)).toBe('01');
        expect(subjectOf('daily', date, today, LONG_AGO)).toMatchObject({ firstDay: date, lastDay: date });
        expect(subjectOf('fee', date, today, LONG_AGO)).toMatchObject({
          firstDay: month.firstDay,
          lastDay: date,
        });
      }),
    );
  });
});

test('a file name has type and period', () => {
  const names = FILE_TYPES.map((type) => fileNameOf(subjectOf(type, '2026-10-07', '2026-11-15', LONG_AGO)));
  expect(names).toEqual([
    'emboss-monthly-2026-10.csv',
    'emboss-daily-2026-10-07.csv',
    'emboss-fee-2026-10-07.csv',
    'emboss-monthly-transaction-fees-2026-10.csv',
    'emboss-monthly-non-transaction-fees-2026-10.csv',
    'emboss-daily-transaction-fee-2026-10-07.csv',
    'emboss-settlement-2026-10-07.csv',
  ]);
});
