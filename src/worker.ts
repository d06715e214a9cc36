import type { Logger } from 'pino';
import type { Database } from './db/database.ts';
import { databaseTime } from './db/queries.ts';
import { deleteStaleIdempotencyRecords } from './http/queries.ts';
import { extendMilestones } from './lists/extend-milestones.ts';
import { programNow } from './programs/program.ts';
import { listPrograms } from './programs/queries.ts';

const EVERY_MS = 60_000;
const SWEEP_BATCH = 1_000;

/** The background role. It keeps no state of its own: any number may run. */
export function startWorker(db: Database, logger: Logger): { stop: () => Promise<void> } {
  let stopping = false;
  let running: Promise<void> | undefined;

  async function round(): Promise<void> {
    try {
      while (!stopping && (await deleteStaleIdempotencyRecords(db, SWEEP_BATCH)) === SWEEP_BATCH);
      await extendLists(db);
    } catch (error) {
      logger.warn({ err: error }, 'a round of housekeeping failed; the next one does it');
    }
  }

  const timer = setInterval(() => {
    running ??= round().finally(() => {
      running = undefined;
    });
  }, EVERY_MS).unref();
  return {
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** Readers extend milestones too, but a list that nobody reads for long would become too long to count for the first. */
export async function extendLists(db: Database): Promise<void> {
  const [time] = await db.query<{ ms: number }>(databaseTime);
  if (!time) return;
  for (const program of await listPrograms(db)) {
    const sinceMoveMs = time.ms - (program.clockMovedAt?.getTime() ?? Number.NEGATIVE_INFINITY);
    const clock = { nowMs: programNow(program, time.ms), sinceMoveMs };
    await extendMilestones(db, 'cards', program.id, Number.POSITIVE_INFINITY, clock);
  }
}
