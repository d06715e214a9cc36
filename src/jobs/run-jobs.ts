import type { Logger } from 'pino';
import type { Due, Job } from './job.ts';
import type { JobObserver } from './job-metrics.ts';

const TURN_MS = 2_000;

export interface JobServices {
  /** Runs a query over all programs. */
  eachProgram: <Row>(find: (programId?: string) => Promise<Row[]>) => Promise<{ rows: Row[] }>;
  logger: Logger;
  observer?: Partial<JobObserver>;
}

/** Runs jobs until stopped. It stores no state of its own: any number of workers may run. */
export function startJobs(jobs: readonly Job[], services: JobServices): { stop: () => Promise<void> } {
  const stops = jobs.map((job) => startJob(job, services));
  return { stop: async () => void (await Promise.all(stops.map((stop) => stop()))) };
}

/** What a worker remembers of a program while its work is due, in `performance.now()`. */
interface Seen {
  /** When the work was found first, or last succeeded. */
  dueMs: number;
  /** The longest without a turn comes first. */
  turnMs: number;
}

/**
 * Looks for due work at an interval, never twice at once, and gives the programs that a look finds their turns, a few of
 * them side by side. Nothing waits for all of them: a later look replaces the programs that still wait. So neither a
 * backlog nor a failure of one program delays the others by more than its turn.
 */
function startJob(job: Job, { eachProgram, logger, observer }: JobServices): () => Promise<void> {
  const running = new Map<string, Promise<void>>();
  let seen = new Map<string, Seen>();
  let waiting: Due[] = [];
  let looking: Promise<void> | undefined;
  let isMore = false;
  let isLogged = false;
  let stopping = false;

  async function look(): Promise<void> {
    const { rows: all } = await eachProgram((programId) => job.findDue(programId));
    // A sweep is found once for each program where a cluster is searched program by program.
    const rows = [...new Map(all.map((due) => [due.programId, due])).values()];
    const now = performance.now();
    const known = seen;
    const found = rows.map((due) => ({
      due,
      ...(known.get(due.programId) ?? { dueMs: now, turnMs: now }),
    }));
    seen = new Map(found.map(({ due, ...times }) => [due.programId, times]));
    observer?.onLook?.(
      job.name,
      rows.length,
      Math.max(0, ...found.map(({ due, dueMs }) => due.ageMs ?? now - dueMs)),
    );
    isLogged = false;
    waiting = found
      .filter(({ due }) => !running.has(due.programId))
      .sort((a, b) => a.turnMs - b.turnMs)
      .map(({ due }) => due);
    goOn();
  }

  function lookNow(): void {
    looking ??= look()
      .catch((error) =>
        logger.warn({ err: error, job: job.name }, 'due work was not found; it is looked for again'),
      )
      .finally(() => {
        looking = undefined;
      });
  }

  function goOn(): void {
    while (running.size < job.atOnce && !stopping) {
      const due = waiting.shift();
      if (!due) break;
      running.set(due.programId, giveTurn(due));
    }
    if (waiting.length > 0 || !isMore || stopping) return;
    isMore = false;
    lookNow();
  }

  async function giveTurn(due: Due): Promise<void> {
    const { programId } = due;
    const isDone = await takeTurn(due);
    const now = performance.now();
    const known = seen.get(programId);
    if (known) seen.set(programId, { dueMs: isDone ? now : known.dueMs, turnMs: now });
    observer?.onTurn?.(job.name, isDone ? 'done' : 'failed');
    running.delete(programId);
    goOn();
  }

  /** False: it failed. */
  async function takeTurn(due: Due): Promise<boolean> {
    const turn = { deadline: performance.now() + TURN_MS, isStopping: () => stopping };
    try {
      if ((await job.work(due, turn)) === true) isMore = true;
      return true;
    } catch (error) {
      // Many programs may fail for one reason, such as a database that is not there.
      if (!isLogged)
        logger[job.failuresAre ?? 'warn'](
          { err: error, job: job.name, programId: due.programId },
          'a job failed; it will be repeated',
        );
      isLogged = true;
      return false;
    }
  }

  const timer = setInterval(lookNow, job.everyMs).unref();
  lookNow();
  return async () => {
    stopping = true;
    clearInterval(timer);
    await looking;
    await Promise.all(running.values());
  };
}
