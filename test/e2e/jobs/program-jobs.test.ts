import { pino } from 'pino';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { holdExpiry } from '../../../src/authorizations/engine/expire-holds.ts';
import type { Turn } from '../../../src/jobs/job.ts';
import { programJob } from '../../../src/jobs/program-job.ts';
import { makeDue, PROGRAM_JOBS, repairJobs } from '../../../src/jobs/queries.ts';
import { startJobs } from '../../../src/jobs/run-jobs.ts';
import { listProgramIds } from '../../../src/programs/queries.ts';
import { networkApp, type Owner, ownProgram, payingCard } from '../../support/cards/network.ts';
import { advanceSeconds } from '../../support/server/clock.ts';
import { dueIn, passTime, runToEnd } from '../../support/server/jobs.ts';

const app = networkApp();
const JOB = 'list-milestones';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TURN: Turn = { deadline: Number.POSITIVE_INFINITY, isStopping: () => false };

let owner: Owner;
beforeEach(async () => {
  owner = await ownProgram(app);
});

/** A job whose turns do this. */
const jobOf = (work: (programId: string, nowMs: number) => Promise<number>) =>
  programJob(app.db, JOB, { everyMs: HOUR_MS }, (programId, _turn, nowMs) => work(programId, nowMs));
const turnOf = (work: (nowMs: number) => Promise<number>) =>
  jobOf((_, nowMs) => work(nowMs)).work({ programId: owner.program.id }, TURN);
const inAnHour = async (nowMs: number) => nowMs + HOUR_MS;
const isDue = async () => (await jobOf(async () => 0).findDue(owner.program.id)).length === 1;
const pass = (ms: number) => passTime(app, owner.program.id, ms);

describe('the job of a program', () => {
  test('is due from its creation on, for every job', async () => {
    for (const job of PROGRAM_JOBS) expect(await dueIn(app, job, owner.program.id)).toBeLessThanOrEqual(0);
  });

  test('is due again when its turn says, and at the latest after a day', async () => {
    await turnOf(inAnHour);
    expect(await isDue()).toBe(false);
    expect(Math.abs((await dueIn(app, JOB, owner.program.id)) - HOUR_MS)).toBeLessThan(60_000);
    await pass(2 * HOUR_MS);
    await turnOf(async (nowMs) => nowMs + 300 * DAY_MS);
    expect(Math.abs((await dueIn(app, JOB, owner.program.id)) - DAY_MS)).toBeLessThan(60_000);
  });

  test('has one turn at a time, with any number of workers', async () => {
    let turns = 0;
    const work = async (nowMs: number) => {
      turns++;
      return inAnHour(nowMs);
    };
    await Promise.all(Array.from({ length: 8 }, () => turnOf(work)));
    expect(turns).toBe(1);
  });

  test('that becomes due during its turn is due after it', async () => {
    await turnOf(async (nowMs) => {
      await makeDue(app.db, owner.program.id, [JOB]);
      return inAnHour(nowMs);
    });
    expect(await isDue()).toBe(true);
  });

  test('that becomes due in a transaction which commits after its turn is due then', async () => {
    let commit = () => {};
    const committed = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let written = () => {};
    const isWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    const transaction = app.db.transaction(async (tx) => {
      await makeDue(tx, owner.program.id, [JOB]);
      written();
      await committed;
    });
    await isWritten;
    // The row is locked: its turn comes after the commit, and no worker waits for it.
    let turns = 0;
    await turnOf(async (nowMs) => {
      turns++;
      return inAnHour(nowMs);
    });
    expect(turns).toBe(0);
    commit();
    await transaction;
    expect(await isDue()).toBe(true);
  });

  test('of a worker that died is due again after its lease', async () => {
    await expect(turnOf(() => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
    expect(await isDue()).toBe(false);
    await pass(15_000);
    expect(await isDue()).toBe(true);
  });

  test('of a worker that was frozen does not end the turn of the next one', async () => {
    await turnOf(async (nowMs) => {
      await pass(15_000);
      await expect(turnOf(() => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
      return inAnHour(nowMs);
    });
    await pass(15_000);
    expect(await isDue()).toBe(true);
  });

  test('that lies further ahead than a turn sets it is due again: the clock of the database went back', async () => {
    await turnOf(inAnHour);
    const far = `now() + interval '2 days'`;
    for (const change of [`due_at = ${far}`, `due_at = now(), leased_until = ${far}`]) {
      await app.sql(`update program_jobs set ${change} where program_id = $1`, [owner.program.id]);
      expect(await isDue()).toBe(false);
      await repairJobs(app.db, [owner.program.id]);
      expect(await isDue()).toBe(true);
    }
  });

  test('that has no row gets one, and others keep theirs', async () => {
    await turnOf(inAnHour);
    await app.sql(`delete from program_jobs where program_id = $1 and job = 'hold-expiry'`, [
      owner.program.id,
    ]);
    await repairJobs(app.db, await listProgramIds(app.db));
    expect(await dueIn(app, 'hold-expiry', owner.program.id)).toBeLessThanOrEqual(0);
    expect(await isDue()).toBe(false);
  });
});

test('a due hold among many programs is released within six seconds', async () => {
  for (let count = 0; count < 60; count++) await ownProgram(app);
  const card = await payingCard(app, {}, owner);
  await card.hold('10.00');
  await advanceSeconds(app, 6 * 86_400, owner.key);
  const job = holdExpiry({ db: app.db, submit: app.submit });
  // A minute after the move, transactions are not read again: only the row's time leads to the hold.
  await pass(23.5 * HOUR_MS);
  await runToEnd(job);
  await pass((await dueIn(app, 'hold-expiry', owner.program.id)) - 2_000);
  expect(await card.available()).toBe(240);
  const served: string[] = [];
  const counted = {
    ...job,
    work: (...[due, turn]: Parameters<typeof job.work>) => {
      served.push(due.programId);
      return job.work(due, turn);
    },
  };
  const jobs = startJobs([counted], {
    eachProgram: (find) => app.db.eachProgram(() => listProgramIds(app.db), find),
    logger: pino({ level: 'silent' }),
  });
  await vi.waitFor(async () => expect(await card.available()).toBe(250), {
    timeout: 8_000,
    interval: 50,
  });
  await jobs.stop();
  expect(new Set(served)).toEqual(new Set([owner.program.id]));
});

test('a move of the clock makes every job of the program due, in the same transaction', async () => {
  await app.sql(`update program_jobs set due_at = now() + interval '1 day' where program_id = $1`, [
    owner.program.id,
  ]);
  await advanceSeconds(app, 60, owner.key);
  for (const job of PROGRAM_JOBS)
    expect([job, await dueIn(app, job, owner.program.id)]).toEqual([job, expect.toSatisfy((ms) => ms <= 0)]);
});
