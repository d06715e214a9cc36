import type { Database, Tx } from '../../db/database.ts';
import { lowestIdAt, timeOf } from '../../kernel/ids.ts';
import { advanceCursor, findCursor, lockCursor } from '../../programs/cursor-queries.ts';
import { programNow } from '../../programs/program.ts';
import { readProgram } from '../../programs/queries.ts';
import { waitUntilClosed } from '../../programs/wait-until-closed.ts';
import { addToHourlyTotals, deleteHourlyTotalsBefore, findTransactionFrom, HOUR_MS } from './queries.ts';

const PATIENCE_MS = 200;
/** The totals grow by whole steps of this length. Readers count the current step themselves. */
const STEP_MS = 5 * 60_000;
/** Covers the longest window of the overview and the period before it, with a reserve. */
const KEPT_MS = 62 * 24 * HOUR_MS;
/** Transactions counted in one database transaction, unless a single step has more. */
const BATCH = 20_000;

/**
 * Adds each transaction to the hourly totals once, as soon as no earlier transaction can commit any more. A cursor
 * stores the position. Stops at `deadline`; the next call continues.
 */
export async function updateHourlyTotals(
  db: Database,
  programId: string,
  deadline = Number.POSITIVE_INFINITY,
): Promise<void> {
  while (performance.now() < deadline) {
    const span = await findUncounted(db, programId);
    if (!span || !(await waitUntilClosed(db, programId, span.endMs, PATIENCE_MS))) return;
    if (!(await db.transaction((tx) => count(tx, programId, span)))) return;
  }
}

const floorTo = (stepMs: number, ms: number): number => Math.floor(ms / stepMs) * stepMs;

interface Span {
  startMs: number;
  endMs: number;
}

/** The next steps with uncounted transactions. Undefined if only the current step may have some. */
async function findUncounted(db: Database, programId: string): Promise<Span | undefined> {
  const seen = await readProgram(db, programId);
  if (!seen) return undefined;
  const nowMs = programNow(seen.program, seen.realNowMs);
  const presentMs = floorTo(STEP_MS, nowMs);
  const oldestMs = floorTo(STEP_MS, nowMs - KEPT_MS);
  const position = await findCursor(db, programId, 'transaction-totals');
  const countedMs = Math.max(position === undefined ? oldestMs : timeOf(position), oldestMs);
  const first = await findTransactionFrom(db, programId, lowestIdAt(countedMs), 0);
  const startMs = first === undefined ? presentMs : floorTo(STEP_MS, timeOf(first));
  if (startMs >= presentMs) return undefined;
  const last = await findTransactionFrom(db, programId, lowestIdAt(startMs), BATCH);
  const enoughMs = last ? Math.max(floorTo(STEP_MS, timeOf(last)), startMs + STEP_MS) : presentMs;
  return { startMs, endMs: Math.min(enoughMs, presentMs) };
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
