import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { Due, Job, Turn } from './job.ts';
import { type JobServices, startJobs } from './run-jobs.ts';

const NEVER_MS = 3_600_000;
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 1 });
const due = (...ids: string[]): Due[] => ids.map((programId) => ({ programId }));

/** A job of which `found` is due. Each turn waits until it is ended with its result. */
function givenJob(found: () => Due[], change: Partial<Job> = {}) {
  const turns: Array<{
    id: string;
    turn: Turn;
    end: (result?: unknown) => void;
    fail: (error: Error) => void;
  }> = [];
  const job: Job = {
    name: 'some-job',
    everyMs: 1,
    atOnce: 1,
    findDue: async () => found(),
    work: ({ programId: id }, turn) =>
      new Promise((end, fail) => {
        turns.push({ id, turn, end, fail });
      }),
    ...change,
  };
  return { job, turns, ids: () => turns.map(({ id }) => id) };
}

const start = (job: Job, services: Partial<JobServices> = {}) =>
  startJobs([job], {
    eachProgram: async (find) => ({ rows: await find() }),
    logger: pino({ level: 'silent' }),
    ...services,
  });

test('a program whose work never ends gives every other program its turn', async () => {
  // The job names the busy one first each time.
  const { job, turns, ids } = givenJob(() => due('busy', 'a', 'b', 'c'));
  const jobs = start(job);
  for (let turn = 0; turn < 12; turn++) {
    await eventually(() => expect(turns.length).toBeGreaterThan(turn));
    turns[turn]?.end(true);
  }
  for (const id of ['busy', 'a', 'b', 'c'])
    expect(
      ids()
        .slice(0, 12)
        .filter((other) => other === id).length,
    ).toBeGreaterThanOrEqual(2);
  await eventually(() => expect(turns.length).toBeGreaterThan(12));
  const stopped = jobs.stop();
  turns.at(-1)?.end();
  await stopped;
});

test('a program that fails has its turn after the others, and again', async () => {
  const { job, turns, ids } = givenJob(() => due('failing', 'a', 'b'));
  const ends: string[] = [];
  const jobs = start(job, {
    observer: { onTurn: (name, outcome) => ends.push(`${name} ${outcome}`) },
  });
  for (let turn = 0; turn < 4; turn++) {
    await eventually(() => expect(turns.length).toBeGreaterThan(turn));
    const { id, end, fail } = turns[turn] as (typeof turns)[number];
    if (id === 'failing') fail(new Error('no'));
    else end();
  }
  expect(ids().slice(0, 4)).toEqual(['failing', 'a', 'b', 'failing']);
  expect(ends.slice(0, 3)).toEqual(['some-job failed', 'some-job done', 'some-job done']);
  await eventually(() => expect(turns.length).toBeGreaterThan(4));
  const stopped = jobs.stop();
  turns.at(-1)?.end();
  await stopped;
});

test('programs run side by side up to the bound of the job, and no program twice at once', async () => {
  let looks = 0;
  const { job, turns, ids } = givenJob(
    () => {
      looks++;
      return due('a', 'b', 'c');
    },
    { atOnce: 2 },
  );
  const jobs = start(job);
  await eventually(() => expect(looks).toBeGreaterThan(5));
  expect(ids()).toEqual(['a', 'b']);
  turns[0]?.end();
  await eventually(() => expect(ids()).toEqual(['a', 'b', 'c']));
  const stopped = jobs.stop();
  for (const { end } of turns) end();
  await stopped;
});

test('a stop signals the turns in progress, waits for them, and starts none', async () => {
  const { job, turns, ids } = givenJob(() => due('a', 'b'));
  const jobs = start(job);
  await eventually(() => expect(turns).toHaveLength(1));
  let stopped = false;
  const stop = jobs.stop().then(() => {
    stopped = true;
  });
  expect(turns[0]?.turn.isStopping()).toBe(true);
  await new Promise(setImmediate);
  expect(stopped).toBe(false);
  turns[0]?.end();
  await stop;
  expect(ids()).toEqual(['a']);
});

test('work that is left is looked for at once, and other work at the interval', async () => {
  let looks = 0;
  const { job, turns } = givenJob(
    () => {
      looks++;
      return due('a');
    },
    { everyMs: NEVER_MS },
  );
  const jobs = start(job);
  for (const turn of [0, 1, 2]) {
    await eventually(() => expect(turns).toHaveLength(turn + 1));
    turns[turn]?.end(turn < 2);
  }
  await jobs.stop();
  expect(looks).toBe(3);
});

test('a look that fails is repeated', async () => {
  let looks = 0;
  const { job, turns } = givenJob(() => {
    if (++looks < 3) throw new Error('the database is away');
    return due('a');
  });
  const jobs = start(job);
  await eventually(() => expect(turns).toHaveLength(1));
  turns[0]?.end();
  await jobs.stop();
});

test('a look reports how much is due, and since when the oldest of it has been: by its row, or since it was found first', async () => {
  const reported: Array<[due: number, oldestMs: number]> = [];
  let found: Due[] = [{ programId: 'a', ageMs: 5_000 }];
  const { job, turns } = givenJob(() => found);
  const jobs = start(job, {
    observer: { onLook: (_, count, oldestMs) => reported.push([count, oldestMs]) },
  });
  await eventually(() => expect(reported[0]).toEqual([1, 5_000]));
  found = due('a', 'b');
  await eventually(() =>
    expect(reported.at(-1)).toEqual([2, expect.toSatisfy((ms: number) => ms > 20 && ms < 10_000)]),
  );
  found = [];
  await eventually(() => expect(reported.at(-1)).toEqual([0, 0]));
  const stopped = jobs.stop();
  for (const { end } of turns) end();
  await stopped;
});
