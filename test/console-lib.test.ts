import { iso31661 } from 'iso-3166';
import { afterEach, describe, expect, test } from 'vitest';
import { COUNTRY_CODES } from '../console/src/lib/countries.ts';
import { parseDay, parseMinute } from '../console/src/lib/day.ts';
import {
  formatDayAndTime,
  formatMoment,
  formatUtcDay,
  formatUtcMoment,
  shownDay,
} from '../console/src/lib/time.ts';
import { chooseZone } from '../console/src/lib/time-zone.ts';

const at = new Date('2026-11-15T23:30:00Z');

describe('times of the console', () => {
  afterEach(() => chooseZone('local'));

  test('are shown with their zone; UTC days stay what they are', () => {
    expect(formatMoment(at, 'Europe/Berlin')).toBe('16 Nov 2026, 00:30:00 CET');
    expect(formatUtcMoment(at)).toBe('15 Nov 2026, 23:30:00 UTC');
    expect(formatUtcDay('2026-11-15')).toBe('15 Nov 2026');
  });

  test('are shown in UTC if the operator chose that', () => {
    chooseZone('utc');
    expect([shownDay(at), formatMoment(at)]).toEqual(['2026-11-15', formatUtcMoment(at)]);
    expect(formatDayAndTime(at, new Date('2026-01-01T00:00:00Z'))).toBe('15 Nov, 23:30 UTC');
    expect(formatDayAndTime(at, new Date('2027-01-01T00:00:00Z'))).toBe('15 Nov 2026, 23:30 UTC');
  });
});

test.each([
  ['2026-11-15', '2026-11-15'],
  [' 5 Nov 2026 ', '2026-11-05'],
  ['2026-02-30', null],
  ['2026-1', null],
  ['2026', null],
  ['tomorrow', null],
])('the day %j is read as %j', (typed, day) => expect(parseDay(typed)).toBe(day));

test.each([
  ['2026-11-15 08:30', '2026-11-15 08:30:00'],
  ['2026-11-15T08:30', '2026-11-15 08:30:00'],
  ['2026-11-15', '2026-11-15 00:00:00'],
  ['2026-11-15 24:30', null],
])('the minute %j is read as %j', (typed, minute) => expect(parseMinute(typed)).toBe(minute));

test('the countries of the console are those that the API accepts', () => {
  expect([...COUNTRY_CODES].sort()).toEqual(iso31661.map(({ alpha2 }) => alpha2).sort());
});
