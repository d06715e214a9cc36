import { setTimeout as pause } from 'node:timers/promises';
import { type Database, SETTLED_AFTER_MS } from '../db/database.ts';
import { type Program, programNow } from './program.ts';
import { readProgram } from './queries.ts';

const LOOK_EVERY_MS = 20;

/**
 * Whether program time before `ms` is closed: no transaction can commit a record dated before it any more. It is closed
 * a minute after the clock passed `ms`. It can be closed sooner (a sandbox clock can jump): once every transaction has
 * ended that was in progress when this function saw the clock past `ms`. The function waits for them, at most for
 * `patienceMs`. On a cluster it also waits for transactions between their two phases, however old.
 */
export async function waitUntilClosed(
  db: Database,
  programId: string,
  ms: number,
  patienceMs: number,
): Promise<boolean> {
  const { program, realNowMs } = await readProgram(db, programId);
  if (programNow(program, realNowMs) < ms) return false;
  const seenAt = performance.now();
  const isOld = realNowMs - passedAt(program, ms) >= SETTLED_AFTER_MS;
  const deadline = seenAt + patienceMs;
  for (;;) {
    const ageMs = isOld ? SETTLED_AFTER_MS : performance.now() - seenAt;
    if (await db.settledBefore(programId, ageMs)) return true;
    if (performance.now() > deadline) return false;
    await pause(LOOK_EVERY_MS);
  }
}

/** The latest real time at which the clock can have passed `ms`: a move may have skipped it. */
const passedAt = ({ clockOffsetMs, clockMovedAt }: Program, ms: number): number =>
  Math.max(ms - clockOffsetMs, clockMovedAt?.getTime() ?? Number.NEGATIVE_INFINITY);
