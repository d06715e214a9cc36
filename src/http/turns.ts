import pLimit, { type LimitFunction } from 'p-limit';
import { EmbossError } from '../kernel/error.ts';

const MOST_WAITING = 200;

/** Resolves at this program's turn with a function that must be called at the end. */
export type TakeTurn = (programId: string) => Promise<() => void>;

/**
 * Each program has a few requests in progress; its further ones wait for their turn, so that one program's lists and
 * searches leave the event loop and the database to the others.
 */
export function createTurns(atOnce: number): TakeTurn {
  const queues = new Map<string, LimitFunction>();
  return async (programId) => {
    if (atOnce === 0) return () => {};
    const queue = queues.get(programId) ?? pLimit(atOnce);
    if (queue.pendingCount >= MOST_WAITING)
      throw new EmbossError(429, 'Too many requests of this program are waiting; retry', {
        retryAfterSeconds: 1,
      });
    queues.set(programId, queue);
    return new Promise((start) => {
      const turn = queue(() => new Promise<void>(start));
      void turn.then(() => {
        if (queue.activeCount === 0 && queue.pendingCount === 0) queues.delete(programId);
      });
    });
  };
}
