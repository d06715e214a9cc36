import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

/** Whether a promise has resolved by now. */
const isOver = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise, new Promise((later) => setImmediate(() => later('not yet')))])) !== 'not yet';

test('reads of a program beyond its limit wait for one to end; other programs do not wait', async () => {
  const take = createTurns(2);
  const [first, second] = [await take('one'), await take('one')];
  const third = take('one');
  expect(await isOver(third)).toBe(false);
  expect(await isOver(take('two'))).toBe(true);
  first();
  expect(await isOver(third)).toBe(true);
  const fourth = take('one');
  expect(await isOver(fourth)).toBe(false);
  second();
  second();
  expect(await isOver(fourth)).toBe(true);
});

test('the queue is limited, and has room again when the reads are done', async () => {
  const take = createTurns(1);
  const running = await take('one');
  const waiting = Array.from({ length: 200 }, () => take('one'));
  await expect(take('one')).rejects.toThrow('Too many requests of this program are waiting; retry');
  running();
  for (const turn of waiting) (await turn)();
  expect(await isOver(take('one'))).toBe(true);
});

test('0 means no limit', async () => {
  const take = createTurns(0);
  expect(await isOver(Promise.all(Array.from({ length: 1_000 }, () => take('one'))))).toBe(true);
});
