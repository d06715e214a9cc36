import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  addMonths,
  addYears,
  dayEndMs,
  dayOf,
  dayStartMs,
  formatTimestamp,
  isDay,
  parseTimestamp,
} from './calendar.ts';

/** West and east of Greenwich, with and without summer time, with the widest offsets there are. */
const ZONES = ['UTC', 'America/New_York', 'Pacific/Kiritimati', 'Australia/Lord_Howe'];
const FIRST_YEAR = 2020;
const LAST_YEAR = 2039;
const MS_PER_DAY = 86_400_000;

/** The calendar by hand: nothing here uses a date library or the zone of the process. */
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const monthLength = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
const write = (year: number, month: number, day: number): string =>
  [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
const read = (day: string) => day.split('-').map(Number) as [number, number, number];

function oracleAddMonths(day: string, months: number): string {
  const [year, month, date] = read(day);
  const index = year * 12 + (month - 1) + months;
  const [toYear, toMonth] = [Math.floor(index / 12), (index % 12) + 1];
  return write(toYear, toMonth, Math.min(date, monthLength(toYear, toMonth)));
}

const DAYS: string[] = [];
for (let year = FIRST_YEAR; year <= LAST_YEAR; year++)
  for (let month = 1; month <= 12; month++)
    for (let day = 1; day <= monthLength(year, month); day++) DAYS.push(write(year, month, day));

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.each(ZONES)('over twenty years of days in %s', (zone) => {
  /** Node reads the zone again when it is set; the offset proves that it took hold. */
  function enterZone(): void {
    vi.stubEnv('TZ', zone);
    const offsets: Record<string, number> = {
      UTC: 0,
      'America/New_York': 300,
      'Pacific/Kiritimati': -840,
      'Australia/Lord_Howe': -660,
    };
    expect(new Date(2030, 0, 1).getTimezoneOffset()).toBe(offsets[zone]);
  }

  test('a day runs from its first to its last millisecond and the next one follows', () => {
    enterZone();
    expect(DAYS).toHaveLength(7305);
    expect(DAYS.toSorted()).toEqual(DAYS);
    const firstMs = Date.UTC(FIRST_YEAR, 0, 1);
    const wrong = DAYS.filter((day, index) => {
      const startMs = firstMs + index * MS_PER_DAY;
      const endMs = startMs + MS_PER_DAY;
      const next = DAYS[index + 1] ?? `${LAST_YEAR + 1}-01-01`;
      const bounds = dayStartMs(day) === startMs && dayEndMs(day) === endMs;
      return !bounds || dayOf(startMs) !== day || dayOf(endMs - 1) !== day || dayOf(endMs) !== next;
    });
    expect(wrong).toEqual([]);
  });

  test('adding months and years agrees with the calendar by hand', () => {
    enterZone();
    const wrong = DAYS.filter((day, index) => {
      const sums = [addMonths(day, 1), addMonths(day, index % 50), addYears(day, 3)];
      const expected = [1, index % 50, 36].map((months) => oracleAddMonths(day, months));
      return sums.join() !== expected.join();
    });
    expect(wrong).toEqual([]);
  });

  test('a text is a day if and only if the calendar has it', () => {
    enterZone();
    const texts: string[] = [];
    for (let year = FIRST_YEAR; year <= LAST_YEAR; year++)
      for (let month = 0; month <= 13; month++)
        for (const day of [0, 1, 15, 27, 28, 29, 30, 31, 32]) texts.push(write(year, month, day));
    const known = new Set(DAYS);
    expect(texts.filter((text) => isDay(text) !== known.has(text))).toEqual([]);
    expect(DAYS.filter((day) => !isDay(day))).toEqual([]);
  });

  test('a timestamp is written in UTC and read back to the second', () => {
    enterZone();
    const wrong = DAYS.filter((day, index) => {
      const ms = dayStartMs(day) + ((index * 7_919_000) % MS_PER_DAY);
      const text = formatTimestamp(new Date(ms));
      return !/T\d\d:\d\d:\d\d\+0000$/.test(text) || !text.startsWith(day) || parseTimestamp(text) !== ms;
    });
    expect(wrong).toEqual([]);
  });
});

describe('months', () => {
  test.each([
    ['2025-01-31', 1, '2025-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2024-01-30', 1, '2024-02-29'],
    ['2025-03-31', 1, '2025-04-30'],
    ['2025-12-31', 1, '2026-01-31'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 36, '2027-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2096-02-29', 48, '2100-02-28'],
    ['2025-05-15', 0, '2025-05-15'],
  ])('%s plus %i is %s', (day, months, expected) => {
    expect(addMonths(day, months)).toBe(expected);
  });

  test('a later day never has an earlier month', () => {
    const day = fc.nat(DAYS.length - 1);
    fc.assert(
      fc.property(day, day, fc.integer({ min: 0, max: 600 }), (a, b, months) => {
        const [first, second] = a < b ? [a, b] : [b, a];
        const [early, late] = [
          addMonths(DAYS[first] as string, months),
          addMonths(DAYS[second] as string, months),
        ];
        expect(early <= late).toBe(true);
      }),
    );
  });
});

describe('texts that are not days', () => {
  const WRONG = [
    '',
    '2025-1-1',
    '25-01-01',
    '2025-01-01 ',
    ' 2025-01-01',
    '2025-01-01T00:00',
    '20250101',
    '2025/01/01',
  ];
  WRONG.push(
    '2025-02-29',
    '1900-02-29',
    '0000-01-01',
    '0000-12-31',
    '-002025-01-01',
    '+012025-01-01',
    '２０２５-01-01',
  );
  test.each(WRONG)('%j', (text) => {
    expect(isDay(text)).toBe(false);
  });
  test.each(['0001-01-01', '2000-02-29', '9999-12-31'])('%s is a day', (text) => {
    expect(isDay(text)).toBe(true);
  });
});

describe('timestamps', () => {
  test.each([
    ['2026-11-15T08:30:00Z', Date.UTC(2026, 10, 15, 8, 30)],
    ['2026-11-15T08:30:00+0000', Date.UTC(2026, 10, 15, 8, 30)],
    ['2026-11-15T10:30:00+02:00', Date.UTC(2026, 10, 15, 8, 30)],
    ['2026-11-15T08:30:00.250Z', Date.UTC(2026, 10, 15, 8, 30, 0, 250)],
  ])('%s', (text, ms) => {
    expect(parseTimestamp(text)).toBe(ms);
  });
  test.each([
    ...['2026-11-15T08:30:00', '2026-11-15', '2026-02-30T00:00:00Z', 'now', '', '1731659400'],
    ...[
      '+010000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-01:00',
      '0000-12-31T23:59:59Z',
      '-000001-01-01T00:00:00Z',
    ],
  ])('%j is not a timestamp', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});
