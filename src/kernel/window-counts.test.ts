import { expect, test } from 'vitest';
import { countInWindows } from './window-counts.ts';

test('a window begins with the first count and ends with all its counts', () => {
  const counts = countInWindows(1_000, 10);
  expect([counts.add('a', 500), counts.add('a', 600), counts.add('b', 700)]).toEqual([1, 2, 1]);
  expect([counts.read('a', 1_499), counts.read('a', 1_500), counts.read('b', 1_500)]).toEqual([2, 0, 1]);
  expect([counts.leftMs('a', 600), counts.leftMs('a', 2_000), counts.leftMs('c', 0)]).toEqual([900, 0, 0]);
  expect(counts.add('a', 1_500)).toBe(1);
});

test('reading does not count', () => {
  const counts = countInWindows(1_000, 10);
  expect([counts.read('a', 0), counts.read('a', 0), counts.add('a', 0)]).toEqual([0, 0, 1]);
});

test('if there are too many keys, only the window that began first is dropped', () => {
  const counts = countInWindows(1_000, 3);
  for (const [at, key] of ['a', 'b', 'c', 'b'].entries()) counts.add(key, at);
  // Started again, it is the youngest.
  counts.add('a', 1_000);
  counts.add('d', 1_001);
  expect(['a', 'b', 'c', 'd'].map((key) => counts.read(key, 1_001))).toEqual([1, 0, 1, 1]);
});
