import { audit } from '../audit/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { makeDue } from '../jobs/queries.ts';
import { invalid } from '../kernel/error.ts';
import { type Actor, createActor, lockFor } from './actor.ts';
import { lockProgram, updateClock } from './queries.ts';

/** The latest program time: late enough for any test, early enough for every date format in use. */
const LATEST_CLOCK_MS = Date.UTC(2200, 0, 1);

export type ClockMove = { now: number } | { advanceMs: number };

/** Moves a sandbox program's clock; it only moves forward. Returns the current at the new time. */
export async function moveClock(db: Database, actor: Actor, move: ClockMove): Promise<Actor> {
  return db.transaction(async (tx) => {
    const [program, current] = await lockFor(tx, actor, lockProgram(tx, actor.program.id));
    const [currentMs, realNowMs] = [current.now(), current.realNow()];
    const field = 'now' in move ? 'now' : 'advance_seconds';
    const targetMs = 'now' in move ? move.now : currentMs + move.advanceMs;
    if (targetMs < currentMs) throw invalid(field, 'must not be before the current program time');
    if (targetMs > LATEST_CLOCK_MS) throw invalid(field, 'must not move the clock past 2200-01-01');
    // Rounded up: the clock must not be a fraction of a millisecond before the given time.
    const clockOffsetMs = Math.ceil(targetMs - realNowMs);
    await setClock(tx, program.id, clockOffsetMs);
    const moved = { ...program, clockOffsetMs, clockMovedAt: new Date(realNowMs) };
    const movedActor = createActor(current, moved, current.realNow);
    await audit(tx, movedActor, 'clock.moved', {
      before: { now: new Date(currentMs).toISOString() },
      after: { now: new Date(targetMs).toISOString() },
    });
    return movedActor;
  });
}

/** What was in the future may be due now. */
export async function setClock(tx: Tx, programId: string, offsetMs: number): Promise<void> {
  await updateClock(tx, programId, offsetMs);
  await makeDue(tx, programId);
}
