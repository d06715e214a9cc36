import { setTimeout as pause } from 'node:timers/promises';
import { findNode, hasPrepared } from '../db/cluster.ts';
import type { Database } from '../db/database.ts';
import { findOlderTransaction } from '../db/queries.ts';
import { SETTLED_AFTER_MS } from '../lists/extend-milestones.ts';
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
  const seen = await readProgram(db, programId);
  if (!seen || programNow(seen.program, seen.realNowMs) < ms) return false;
  const seenAt = performance.now();
  const { program, realNowMs } = seen;
  const isSettled = realNowMs - passedAt(program, ms) >= SETTLED_AFTER_MS;
  const deadline = seenAt + patienceMs;
  for (;;) {
    const ageMs = performance.now() - seenAt;
    const isOpen = !isSettled && (await hasOlder(db, programId, ageMs));
    if (!isOpen && !(await hasPrepared(db, programId, ageMs))) return true;
    if (performance.now() > deadline) return false;
    await pause(LOOK_EVERY_MS);
  }
}

/** On a cluster, a program's transactions run on the coordinator or on its node, each with its own clock: hence ages. */
async function hasOlder(db: Database, programId: string, ageMs: number): Promise<boolean> {
  for (const server of new Set([db, await findNode(db, programId)])) {
    const [older] = await server.query<{ found: boolean }>(findOlderTransaction, [ageMs]);
    if (older?.found) return true;
  }
  return false;
}

/** The latest real time at which the clock can have passed `ms`: a move may have skipped it. */
const passedAt = ({ clockOffsetMs, clockMovedAt }: Program, ms: number): number =>
  Math.max(ms - clockOffsetMs, clockMovedAt?.getTime() ?? Number.NEGATIVE_INFINITY);
