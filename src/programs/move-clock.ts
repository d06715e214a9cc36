import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../db/database.ts';
import { invalid, notFound } from '../kernel/error.ts';
import { type Caller, type Program, programNow } from './program.ts';
import { lockProgram, updateClock } from './queries.ts';

/** Where the clock may go at most: far enough for any test, near enough for every date we write. */
const LATEST_CLOCK_MS = Date.UTC(2200, 0, 1);

export type ClockMove = { now: number } | { advanceMs: number };

/** Moves a sandbox program's clock; it only moves forward. */
export async function moveClock(
  db: Database,
  caller: Caller,
  move: ClockMove,
  requestId: string,
): Promise<Program> {
  const programId = caller.program.id;
  return db.transaction(async (tx) => {
    const program = await lockProgram(tx, programId);
    if (!program) throw notFound();
    const realNowMs = caller.realNow();
    const currentMs = programNow(program, realNowMs);
    const field = 'now' in move ? 'now' : 'advance_seconds';
    const targetMs = 'now' in move ? move.now : currentMs + move.advanceMs;
    if (targetMs < currentMs) throw invalid(field, 'must not be before the current program time');
    if (targetMs > LATEST_CLOCK_MS) throw invalid(field, 'must not move the clock past 2200-01-01');
    const moved = {
      ...program,
      clockOffsetMs: Math.round(targetMs - realNowMs),
      clockMovedAt: new Date(realNowMs),
    };
    await updateClock(tx, programId, moved.clockOffsetMs);
    await recordAudit(tx, {
      programId,
      actor: caller.actor,
      address: caller.address,
      requestId,
      action: 'clock.moved',
      cardId: null,
      before: { now: new Date(currentMs).toISOString() },
      after: { now: new Date(targetMs).toISOString() },
      nowMs: targetMs,
    });
    return moved;
  });
}
