import { auditLinks } from '../../../src/audit/link-entries.ts';
import type { Due, Job } from '../../../src/jobs/job.ts';
import type { TestApp } from './test-app.ts';

const rethrow = (error: unknown): never => {
  throw error;
};

interface Options {
  isStopping?: () => boolean;
  onFailure?: (error: unknown) => void;
}

/** Gives turns, one after the other, until nothing is due: what a worker does without the time between its looks. */
export async function runToEnd<Found extends Due>(
  job: Job<Found>,
  { isStopping = () => false, onFailure = rethrow }: Options = {},
): Promise<void> {
  const turn = { deadline: Number.POSITIVE_INFINITY, isStopping };
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const due of await job.findDue()) {
      if (isStopping()) return;
      const left = await job.work(due, turn).catch((error) => {
        onFailure(error);
        return true;
      });
      if (left === true) isMore = true;
    }
  }
}

/** Adds all entries to the chains of the audit. */
export const linkAudit = ({ db, vault }: Pick<TestApp, 'db' | 'vault'>): Promise<void> =>
  runToEnd(auditLinks({ db, digest: vault.history }));

/** In how many milliseconds a job of a program is due; negative: for how long it has been. */
export async function dueIn(app: TestApp, job: string, programId = app.program.id): Promise<number> {
  const [row] = await app.sql<{ ms: number }>(
    `select extract(epoch from due_at - clock_timestamp())::float8 * 1000 as ms from program_jobs
     where program_id = $1 and job = $2`,
    [programId, job],
  );
  if (!row) throw new Error(`the program has no job ${job}`);
  return row.ms;
}

/** Lets a job of a program fall due so much sooner, since no test waits for hours. */
export const hurry = (app: TestApp, job: string, ms: number, programId = app.program.id): Promise<unknown> =>
  app.sql(
    `update program_jobs set due_at = due_at - $3 * interval '1 ms' where program_id = $1 and job = $2`,
    [programId, job, ms],
  );

/**
 * Real time goes on: seen from the database's clock, what it stored of a program's jobs is so much older. The program's
 * clock goes on with it, without a move.
 */
export const passTime = (app: TestApp, programId: string, ms: number): Promise<unknown> =>
  app.sql(
    `with clock as (
       update programs set clock_offset_ms = clock_offset_ms + $2::float8::bigint,
                           clock_moved_at = clock_moved_at - $2::float8 * interval '1 ms'
       where id = $1)
     update program_jobs set due_at = due_at - $2::float8 * interval '1 ms',
                             leased_until = leased_until - $2::float8 * interval '1 ms'
     where program_id = $1`,
    [programId, ms],
  );
