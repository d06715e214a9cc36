import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { findOlderTransaction } from '../db/queries.ts';
import { SETTLED_AFTER_MS } from '../lists/extend-milestones.ts';
import { type Program, programNow } from './program.ts';
import { readProgram } from './queries.ts';

const LOOK_EVERY_MS = 20;

/**
 * Whether the program's time before `ms` is closed: nothing dated before it can be committed any more. A minute after
 * the clock passed it, it is. Sooner (the clock of a sandbox jumps) it is once every transaction has ended that was
 * under way when we saw the clock past it; that is waited for, as long as `patienceMs` allows.
 */
export async function waitUntilClosed(
  db: Database,
  programId: string,
  ms: number,
  patienceMs: number,
): Promise<boolean> {
  const seen = await readProgram(db, programId);
  if (!seen || programNow(seen.program, seen.realNowMs) < ms) return false;
  const { program, realNowMs } = seen;
  if (realNowMs - passedAt(program, ms) >= SETTLED_AFTER_MS) return true;
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const [older] = await db.query<{ found: boolean }>(findOlderTransaction, [realNowMs]);
    if (older && !older.found) return true;
    if (performance.now() > deadline) return false;
    await pause(LOOK_EVERY_MS);
  }
}

/** In real time, at the latest: it may have been jumped over. */
const passedAt = ({ clockOffsetMs, clockMovedAt }: Program, ms: number): number =>
  Math.max(ms - clockOffsetMs, clockMovedAt?.getTime() ?? Number.NEGATIVE_INFINITY);
