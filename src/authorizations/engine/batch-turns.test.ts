import { describe, expect, test } from 'vitest';
import { createBatchTurns } from './batch-turns.ts';

const never = () => new Promise<never>(() => {});

describe('the turns of batches', () => {
  test('so many run at once; the next one begins when one has ended', async () => {
    const inTurn = createBatchTurns(2, 60_000);
    const begun: string[] = [];
    const ends: Array<() => void> = [];
    const run = (name: string) =>
      inTurn(() => {
        begun.push(name);
        return new Promise<string>((end) => ends.push(() => end(name)));
      });
    const results = ['a', 'b', 'c'].map(run);
    await new Promise(setImmediate);
    expect(begun).toEqual(['a', 'b']);
    ends[0]?.();
    expect(await results[0]).toBe('a');
    await new Promise(setImmediate);
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  test('a batch that waits for long does not keep its turn', async () => {
    const inTurn = createBatchTurns(1, 10);
    void inTurn(never);
    expect(await inTurn(async () => 'next')).toBe('next');
  });

  test('a failed batch fails its own calls and ends its turn', async () => {
    const inTurn = createBatchTurns(1, 60_000);
    await expect(inTurn(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await inTurn(async () => 'next')).toBe('next');
  });
});
