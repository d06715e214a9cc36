import { afterEach, describe, expect, test } from 'vitest';
import { oneOf, readSearch, toQuery } from '../console/src/components/list/search.ts';
import { sentTime, typedTime } from '../console/src/features/cards/usage-words.ts';
import { declineLine } from '../console/src/features/limits/decline-line.ts';
import { periodOf } from '../console/src/features/overview/period.ts';
import { eventAmount } from '../console/src/features/transactions/decision-words.ts';
import { placeOf } from '../console/src/lib/countries.ts';
import { parseDay, parseMinute } from '../console/src/lib/day.ts';
import { describeCategory } from '../console/src/lib/merchant-categories.ts';
import { spentWords } from '../console/src/lib/money.ts';
import {
  formatDayAndTime,
  formatMoment,
  formatRelative,
  formatUtcDay,
  formatUtcMoment,
  shownDay,
} from '../console/src/lib/time.ts';
import { chooseZone, zoneWords } from '../console/src/lib/time-zone.ts';
import type { DeclineLimits } from '../console/src/lib/types.ts';

const at = new Date('2026-11-15T23:30:00Z');

describe('times of the console', () => {
  afterEach(() => chooseZone('local'));

  test('have one form, in the zone that the page names; UTC days stay what they are', () => {
    expect(formatMoment(at, 'Europe/Berlin')).toBe('16 Nov 2026, 00:30:00');
    expect(formatUtcMoment(at)).toBe('15 Nov 2026, 23:30:00 UTC');
    expect(formatUtcDay('2026-11-15')).toBe('15 Nov 2026');
  });

  test('are shown in UTC if the operator chose that', () => {
    chooseZone('utc');
    expect([shownDay(at), `${formatMoment(at)} ${zoneWords()}`]).toEqual(['2026-11-15', formatUtcMoment(at)]);
    expect(formatDayAndTime(at)).toBe('15 Nov 2026, 23:30');
    expect(formatRelative(at, new Date('2026-12-01T00:00:00Z'))).toBe('15 Nov 2026');
  });
});

test('a time of usage that is not changed keeps its seconds', () => {
  const until = '2026-12-31T23:59:59+0000';
  expect(typedTime(until)).toBe('2026-12-31 23:59');
  expect(sentTime(typedTime(until), until)).toBe(until);
  expect(sentTime('2026-12-31 22:59', until)).toBe('2026-12-31T22:59:00Z');
  expect([sentTime('2026-12-31 22:59', null), sentTime('', until)]).toEqual(['2026-12-31T22:59:00Z', null]);
});

test('what a card gets back has a plus sign, in lists and in the events of a transaction', () => {
  const refund = eventAmount({ name: 'refund' }, '12.50');
  const amounts = ['12.50', '-12.50', refund, eventAmount({ name: 'refund.reversal' }, '12.50')];
  expect(amounts.map((amount) => spentWords(amount, 'EUR'))).toEqual([
    '€12.50',
    '+€12.50',
    '+€12.50',
    '€12.50',
  ]);
});

test('countries and categories are in words', () => {
  const shop = { city: 'Berlin', country: 'DEU' };
  expect([placeOf(shop), describeCategory('5943')]).toEqual(['Berlin, Germany', 'Stationery (5943)']);
  expect([placeOf({ city: null, country: 'XKX' }), describeCategory('5411')]).toEqual([
    'XKX',
    'Groceries (5411)',
  ]);
});

test.each<[DeclineLimits | null, string]>([
  [{ available: '3.10', needed: '34.42' }, '€3.10 available'],
  [{ limit: 'dailyLimit', value: '50.00', spent: '48.00', resets_at: null }, '€48.00 of €50.00 spent'],
  [{ limit: 'transactionLimit', value: '50.00' }, 'limit €50.00'],
  [null, ''],
])('the numbers %j of a decline are in one line', (limits, line) =>
  expect(declineLine({ limits }, 'EUR')).toBe(line),
);

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

describe('the filters of a list in the address', () => {
  const read = readSearch({ status: oneOf('OPEN'), merchant: (value) => value.length < 5 });
  const now = new Date('2026-03-31T23:30:00Z');

  test('are kept if the server accepts them; others are ignored', () => {
    expect(
      read({
        status: 'OPEN',
        merchant: 'too long',
        page: '2',
        created: '7d',
        order: 'oldest',
        min_created: 'x',
      }),
    ).toEqual({ status: 'OPEN', created: '7d', order: 'oldest' });
    expect(read({ min_created: '2026-02-30', max_created: '2026-02-03T10:15Z' })).toEqual({
      max_created: '2026-02-03T10:15Z',
    });
    expect(read({ min_created: '2026-02-03', max_created: '2026-02-01' })).toEqual({
      min_created: '2026-02-03',
    });
  });

  test.each([
    ['today', '2026-03-31', '2026-03-31'],
    ['7d', '2026-03-25', '2026-03-31'],
    ['30d', '2026-03-02', '2026-03-31'],
    ['month', '2026-03-01', '2026-03-31'],
    ['last-month', '2026-02-01', '2026-02-28'],
  ])('%s becomes UTC days', (created, min_created, max_created) => {
    expect(toQuery({ created, status: 'OPEN' }, now)).toEqual({ status: 'OPEN', min_created, max_created });
  });

  test('the overview links to its period, to the minute', () => {
    const slices = [{ start: '2026-03-30T12:00:00+0000', approved: 0, declined: 0, spend: '0' }];
    expect(periodOf({ slices, until: '2026-03-31T11:42:31+0000' })).toEqual({
      min_created: '2026-03-30T12:00Z',
      max_created: '2026-03-31T11:43Z',
    });
  });
});
