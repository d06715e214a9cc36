import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planDelivery } from './download.ts';

const rangeOf = (range: string, bytes: number) => planDelivery({ method: 'GET', range }, bytes);
const part = (start: number, end: number) => ({ kind: 'part', range: { start, end } });
const whole = { kind: 'whole', gzip: false };
const unsatisfiable = { kind: 'unsatisfiable' };

describe('a range request', () => {
  test.each<[string, unknown]>([
    ['bytes=0-0', part(0, 0)],
    ['bytes=0-', part(0, 99)],
    ['bytes=10-19', part(10, 19)],
    ['bytes=90-1000', part(90, 99)],
    ['bytes=99-', part(99, 99)],
    ['bytes=-1', part(99, 99)],
    ['bytes=-1000', part(0, 99)],
    ['Bytes=1-2', part(1, 2)],
    ['bytes=100-', unsatisfiable],
    ['bytes=100-200', unsatisfiable],
    ['bytes=-0', unsatisfiable],
    // A malformed range is ignored.
    ['bytes=5-4', whole],
    ['bytes=-', whole],
    ['bytes=', whole],
    ['bytes=a-b', whole],
    ['bytes=0x0-1', whole],
    ['bytes=-1-2', whole],
    ['bytes=0-1,5-6', whole],
    ['rows=0-1', whole],
    ['', whole],
  ])('%s of a hundred bytes', (range, delivery) => {
    expect(rangeOf(range, 100)).toEqual(delivery);
  });

  test('is within the file for any header', () => {
    const number = fc.oneof(fc.nat(300).map(String), fc.constant(''), fc.constant('9'.repeat(30)));
    fc.assert(
      fc.property(number, number, fc.nat(200), (first, last, bytes) => {
        const delivery = rangeOf(`bytes=${first}-${last}`, bytes);
        if (delivery.kind !== 'part') return;
        const { start, end } = delivery.range;
        expect(0 <= start && start <= end && end < bytes).toBe(true);
        if (first !== '') expect(start).toBe(Number(first));
      }),
    );
  });

  test('of an empty file cannot be satisfied', () => {
    expect(rangeOf('bytes=0-', 0)).toEqual(unsatisfiable);
  });

  test('applies only to GET, and not with a validator that Emboss never sent', () => {
    expect(planDelivery({ method: 'HEAD', range: 'bytes=0-1' }, 100)).toEqual(whole);
    expect(planDelivery({ method: 'GET', range: 'bytes=0-1', ifRange: '"x"' }, 100)).toEqual(whole);
  });

  test('is never compressed', () => {
    const given = { method: 'GET', range: 'bytes=0-1', acceptEncoding: 'gzip' };
    expect(planDelivery(given, 100)).toEqual(part(0, 1));
  });
});

test.each([
  ['gzip', true],
  ['GZIP', true],
  ['deflate, gzip;q=0.5, br', true],
  ['*', true],
  ['br, *;q=0.1', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000, *', false],
  ['*;q=0', false],
  ['identity', false],
  ['gzip;q=nonsense', false],
  ['xgzip', false],
  ['', false],
])('accept-encoding %j: gzip %s', (acceptEncoding, gzip) => {
  expect(planDelivery({ method: 'GET', acceptEncoding }, 100)).toEqual({ kind: 'whole', gzip });
});
