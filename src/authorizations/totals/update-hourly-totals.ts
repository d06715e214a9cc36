import type { Database, Tx } from '../../db/database.ts';
import { nextAfterQuiet } from '../../jobs/after-quiet.ts';
import type { Job } from '../../jobs/job.ts';
import { programJob } from '../../jobs/program-job.ts';
import { lowestIdAt, timeOf } from '../../kernel/ids.ts';
import { advanceCursor, findCursor, lockCursor } from '../../programs/cursor-queries.ts';
import { programNow } from '../../programs/program.ts';
import { readProgram } from '../../programs/queries.ts';
import { waitUntilClosed } from '../../programs/wait-until-closed.ts';
import { findTransactionFrom } from '../transactions/queries.ts';
import { addToHourlyTotals, deleteHourlyTotalsBefore, HOUR_MS } from './queries.ts';

const PATIENCE_MS = 200;
/** The totals grow by whole steps of this length. Readers count the current step themselves. */
const STEP_MS = 5 * 60_000;
/** Covers the longest window of the overview and the period before it, with a reserve. */
const KEPT_MS = 62 * 24 * HOUR_MS;
/** Transactions counted in one database transaction, unless a single step has more. */
const BATCH = 20_000;

/** How soon a step is tried again whose transactions may still be under way. */
const AGAIN_MS = 10_000;

export const hourlyTotals = (db: Database): Job =>
  programJob(db, 'hourly-totals', { everyMs: 5_000 }, (programId, { deadline }) =>
    updateHourlyTotals(db, programId, deadline),
  );

/**
 * Adds each transaction to the hourly totals once, as soon as no earlier transaction can commit any more. A cursor
 * stores the position. Stops at `deadline`. Returns when to continue, in real time.
 */
export async function updateHourlyTotals(
  db: Database,
  programId: string,
  deadline = Number.POSITIVE_INFINITY,
): Promise<number> {
  for (;;) {
    const { span, realNowMs, nextMs } = await findUncounted(db, programId);
    if (!span) return nextMs;
    if (performance.now() >= deadline) return realNowMs;
    const isClosed = await waitUntilClosed(db, programId, span.endMs, PATIENCE_MS);
    if (!isClosed || !(await db.transaction((tx) => count(tx, programId, span)))) return realNowMs + AGAIN_MS;
  }
}

const floorTo = (stepMs: number, ms: number): number => Math.floor(ms / stepMs) * stepMs;

interface Span {
  startMs: number;
  endMs: number;
}

/**
 * The next steps with uncounted transactions, in program time. None if only the current step may have some: then it is
 * `nextMs` when to look again.
 */
async function findUncounted(
  db: Database,
  programId: string,
): Promise<{ span?: Span; realNowMs: number; nextMs: number }> {
  const { program, realNowMs } = await readProgram(db, programId);
  const nowMs = programNow(program, realNowMs);
  const presentMs = floorTo(STEP_MS, nowMs);
  const oldestMs = floorTo(STEP_MS, nowMs - KEPT_MS);
  const position = await findCursor(db, programId, 'transaction-totals');
  const countedMs = Math.max(position === undefined ? oldestMs : timeOf(position), oldestMs);
  const first = await findTransactionFrom(db, programId, lowestIdAt(countedMs), 0);
  if (first === undefined)
    return { realNowMs, nextMs: nextAfterQuiet(realNowMs, nowMs - countedMs, STEP_MS) };
  const startMs = floorTo(STEP_MS, timeOf(first));
  if (startMs >= presentMs) return { realNowMs, nextMs: presentMs + STEP_MS - program.clockOffsetMs };
  const last = await findTransactionFrom(db, programId, lowestIdAt(startMs), BATCH);
  const enoughMs = last ? Math.max(floorTo(STEP_MS, timeOf(last)), startMs + STEP_MS) : presentMs;
  return { span: { startMs, endMs: Math.min(enoughMs, presentMs) }, realNowMs, nextMs: realNowMs };
}

/**
 * Writes totals and cursor together, so that no transaction is lost or counted twice. False if another worker is
 * counting.
 */
async function count(tx: Tx, programId: string, { startMs, endMs }: Span): Promise<boolean> {
  const position = await lockCursor(tx, programId, 'transaction-totals', lowestIdAt(startMs));
  if (position === undefined) return false;
  const countedMs = timeOf(position);
  if (countedMs >= endMs) return true;
  addToHourlyTotals(tx, programId, lowestIdAt(Math.max(startMs, countedMs)), lowestIdAt(endMs));
  await advanceCursor(tx, programId, 'transaction-totals', lowestIdAt(endMs));
  deleteHourlyTotalsBefore(tx, programId, endMs - KEPT_MS);
  return true;
}
