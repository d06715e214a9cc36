import { expect, test } from 'vitest';
import { shareRecent } from './share-recent.ts';

const NEVER_MS = 3_600_000;

test('calls share a result that is recent, or still being built', async () => {
  const ends: Array<(value: number) => void> = [];
  const read = shareRecent(0, () => new Promise<number>((resolve) => ends.push(resolve)));
  const calls = [read(), read(), read()];
  expect(ends).toHaveLength(1);
  ends[0]?.(7);
  expect(await Promise.all(calls)).toEqual([7, 7, 7]);
  void read();
  expect(ends).toHaveLength(2);
});

test('a failure is shared as long as a result', async () => {
  let built = 0;
  const read = shareRecent(NEVER_MS, async () => {
    built++;
    throw new Error('no');
  });
  for (let call = 0; call < 3; call++) await expect(read()).rejects.toThrow('no');
  expect(built).toBe(1);
});
