import { describe, expect, test } from 'vitest';
import { notMetBy, type OperationCoverage } from './coverage.ts';
import { WAYS } from './ways.ts';

const OPERATIONS = 11;
const ALL_WAYS = Object.fromEntries(WAYS.map((way) => [way, 1]));
const whole: OperationCoverage[] = Array.from({ length: OPERATIONS }, (_, index) => ({
  operation: `operation${index}`,
  met: { '201': 1, '400': 3 },
  missing: [413],
  ways: ALL_WAYS,
}));
const ENOUGH = { sent: 100, wanted: 100 };

describe('the coverage that a run needs', () => {
  test('is a success of every operation; a missing refusal is accepted', () => {
    expect(notMetBy(whole, ENOUGH)).toEqual([]);
  });

  test('names operations that were only refused or never called', () => {
    const [first, second, ...others] = whole as [OperationCoverage, OperationCoverage];
    const refused = { ...first, met: { '400': 9, '302': 1 } };
    const never = { ...second, met: {} };
    expect(notMetBy([refused, never, ...others], ENOUGH)).toEqual([
      'operation0 with success',
      'operation1 with success',
    ]);
  });

  test('is every way with many operations', () => {
    const [first, ...others] = whole as [OperationCoverage];
    const withoutCut = { ...first, ways: { ...ALL_WAYS, 'cut short': 0 } };
    expect(notMetBy([withoutCut, ...others], ENOUGH)).toEqual(['"cut short" with more than 10 operations']);
  });

  test('is the full number of requests', () => {
    expect(notMetBy(whole, { sent: 60, wanted: 100 })).toEqual(['40 of 100 requests']);
  });
});
