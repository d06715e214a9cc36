import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gather } from './gather.ts';

/** A run that waits until a test releases it, so that the test decides what arrives meanwhile. */
function gate() {
  const batches: number[][] = [];
  const releases: Array<() => void> = [];
  const run = async (inputs: number[]): Promise<string[]> => {
    batches.push(inputs);
    await new Promise<void>((release) => releases.push(release));
    return inputs.map((input) => `out ${input}`);
  };
  const openNext = async () => {
    releases.shift()?.();
    await turn();
  };
  return { batches, run, openNext };
}

/** Lets everything that can happen now happen. */
const turn = () => new Promise((done) => setImmediate(done));

describe('gather', () => {
  test('calls of one turn start together; those that arrive meanwhile form the next batch', async () => {
    const { batches, run, openNext } = gate();
    const call = gather(run);
    const first = [0, 1].map(call);
    await turn();
    expect(batches).toEqual([[0, 1]]);
    const rest = [2, 3, 4].map(call);
    await turn();
    expect(batches).toEqual([[0, 1]]);
    await openNext();
    expect(await Promise.all(first)).toEqual(['out 0', 'out 1']);
    expect(batches).toEqual([
      [0, 1],
      [2, 3, 4],
    ]);
    await openNext();
    expect(await Promise.all(rest)).toEqual(['out 2', 'out 3', 'out 4']);
  });

  test('calls that arrive before its turn join the batch', async () => {
    const { batches, run, openNext } = gate();
    const turns: Array<() => void> = [];
    const call = gather(run, 512, async (work) => {
      await new Promise<void>((begin) => turns.push(begin));
      return work();
    });
    const answers = [call(0)];
    await turn();
    answers.push(call(1), call(2));
    await turn();
    expect(batches).toEqual([]);
    turns.shift()?.();
    await turn();
    expect(batches).toEqual([[0, 1, 2]]);
    await openNext();
    expect(await Promise.all(answers)).toEqual(['out 0', 'out 1', 'out 2']);
  });

  test('the next batch starts before the results of the previous one are returned', async () => {
    const { batches, run, openNext } = gate();
    const sent: number[][] = [];
    const call = gather((inputs: number[]) => {
      process.nextTick(() => sent.push(inputs));
      return run(inputs);
    });
    const sentByThen = call(1).then(() => [...sent]);
    await turn();
    const next = call(2);
    await openNext();
    expect(await sentByThen).toEqual([[1], [2]]);
    await openNext();
    expect(await next).toBe('out 2');
    expect(batches).toEqual([[1], [2]]);
  });

  test('a call never gets the result of a batch that started before it', async () => {
    const { batches, run, openNext } = gate();
    const call = gather(run);
    const first = call(1);
    await turn();
    const same = call(1);
    await openNext();
    expect(batches).toEqual([[1], [1]]);
    await openNext();
    expect(await Promise.all([first, same])).toEqual(['out 1', 'out 1']);
  });

  test('after a pause, the next call starts a new batch', async () => {
    const { batches, run, openNext } = gate();
    const call = gather(run);
    for (const input of [1, 2]) {
      const answer = call(input);
      await turn();
      await openNext();
      expect(await answer).toBe(`out ${input}`);
    }
    expect(batches).toEqual([[1], [2]]);
  });

  test('a result that fails fails only its own call', async () => {
    const call = gather(async (inputs: number[]) => {
      await turn();
      return inputs.map((input) => (input === 1 ? Promise.reject(new Error('poison')) : input));
    });
    const poisoned = call(1);
    await turn();
    const next = call(2);
    await expect(poisoned).rejects.toThrow('poison');
    expect(await next).toBe(2);
  });

  test('a failed batch fails only its own calls', async () => {
    let runs = 0;
    const call = gather(async (inputs: number[]) => {
      runs++;
      await Promise.resolve();
      if (inputs.includes(2)) throw new Error(`batch of ${inputs.length}`);
      return inputs;
    });
    const first = call(1);
    await turn();
    const outcomes = await Promise.allSettled([first, call(2), call(3)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: { message: 'batch of 2' } });
    expect(await call(4)).toBe(4);
    expect(runs).toBe(3);
  });

  test('a run that throws synchronously fails its calls, and later calls still work', async () => {
    let fail = true;
    const call = gather((inputs: number[]) => {
      if (fail) throw new Error('at once');
      return Promise.resolve(inputs);
    });
    await expect(call(1)).rejects.toThrow('at once');
    fail = false;
    expect(await call(2)).toBe(2);
  });

  test('each call gets its own result, in order, in batches of at most the allowed size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        async (inputs, max) => {
          const sizes: number[] = [];
          const seen: number[] = [];
          const call = gather(async (batch: number[]) => {
            sizes.push(batch.length);
            seen.push(...batch);
            await Promise.resolve();
            return batch.map((input) => input * 2);
          }, max);
          expect(await Promise.all(inputs.map(call))).toEqual(inputs.map((input) => input * 2));
          expect(seen).toEqual(inputs);
          expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(max);
        },
      ),
    );
  });
});
