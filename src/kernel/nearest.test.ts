import { expect, test } from 'vitest';
import { nearestName } from './nearest.ts';

const NAMES = ['page', 'page_size', 'min_created', 'max_created', 'status'];

test.each([
  ['statsu', 'status'],
  ['Status', 'status'],
  ['stat', 'status'],
  ['page[]', 'page'],
  ['pagesize', 'page_size'],
  ['minCreated', 'min_created'],
  ['created', 'min_created'],
  ['limit', undefined],
  ['x', undefined],
  ['', undefined],
])('%s: %s', (text, name) => {
  expect(nearestName(text, NAMES)).toBe(name);
});

test('there may be no name', () => {
  expect(nearestName('page', [])).toBeUndefined();
});

test('a long text is near to nothing, without being compared letter by letter', () => {
  const long = 'a'.repeat(1_000_000);
  const startMs = performance.now();
  expect(nearestName(long, NAMES)).toBeUndefined();
  expect(performance.now() - startMs).toBeLessThan(500);
});
