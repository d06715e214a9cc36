import type { Logger } from 'pino';
import type { Database } from './db/database.ts';
import { deleteStaleIdempotencyRecords } from './http/queries.ts';

const SWEEP_EVERY_MS = 600_000;
const SWEEP_BATCH = 1_000;

/** The background role. It keeps no state of its own: any number may run. */
export function startWorker(db: Database, logger: Logger): { stop: () => Promise<void> } {
  let stopping = false;
  let running: Promise<void> = Promise.resolve();

  async function sweep(): Promise<void> {
    try {
      while (!stopping && (await deleteStaleIdempotencyRecords(db, SWEEP_BATCH)) === SWEEP_BATCH);
    } catch (error) {
      logger.warn({ err: error }, 'sweeping kept answers failed; it is tried again later');
    }
  }

  const timer = setInterval(() => {
    running = sweep();
  }, SWEEP_EVERY_MS).unref();
  return {
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      await running;
    },
  };
}
