import type { Database, Tx } from '../../db/database.ts';
import { lowestIdAt, timeOf } from '../../kernel/ids.ts';
import { advanceCursor, findCursor, lockCursor } from '../../programs/cursor-queries.ts';
import { programNow } from '../../programs/program.ts';
import { readProgram } from '../../programs/queries.ts';
import { waitUntilClosed } from '../../programs/wait-until-closed.ts';
import { deleteSlicesBefore, findTransactionFrom, insertBlocks, insertSlices } from './queries.ts';
import { BLOCK_MS, floorTo, KEPT_MS, SLICE_MS } from './slice.ts';

const PATIENCE_MS = 200;
/** Transactions that are counted at once, unless a single slice has more. */
const AT_ONCE = 20_000;

/**
 * Counts a program's slices that are over for good, each once, and remembers how far it came. Time in which nothing
 * happened is passed over. Stops early at `deadline`; the next call goes on.
 */
export async function rollUpSlices(
  db: Database,
  programId: string,
  deadline = Number.POSITIVE_INFINITY,
): Promise<void> {
  while (performance.now() < deadline) {
    const stretch = await findStretch(db, programId);
    if (!stretch || !(await waitUntilClosed(db, programId, stretch.endMs, PATIENCE_MS))) return;
    if (!(await db.transaction((tx) => countStretch(tx, programId, stretch)))) return;
  }
}

interface Stretch {
  startMs: number;
  endMs: number;
}

/** The next slices that hold something, a limited number of transactions; undefined: nothing but the present one. */
async function findStretch(db: Database, programId: string): Promise<Stretch | undefined> {
  const seen = await readProgram(db, programId);
  if (!seen) return undefined;
  const nowMs = programNow(seen.program, seen.realNowMs);
  const presentMs = floorTo(SLICE_MS, nowMs);
  const oldestMs = floorTo(SLICE_MS, nowMs - KEPT_MS);
  const position = await findCursor(db, programId, 'transaction-totals');
  const countedMs = Math.max(position === undefined ? oldestMs : timeOf(position), oldestMs);
  const first = await findTransactionFrom(db, programId, lowestIdAt(countedMs), 0);
  const startMs = first === undefined ? presentMs : floorTo(SLICE_MS, timeOf(first));
  if (startMs >= presentMs) return undefined;
  const last = await findTransactionFrom(db, programId, lowestIdAt(startMs), AT_ONCE);
  const enoughMs = last ? Math.max(floorTo(SLICE_MS, timeOf(last)), startMs + SLICE_MS) : presentMs;
  return { startMs, endMs: Math.min(enoughMs, presentMs) };
}

/**
 * The slices and how far they go are written together: nobody counts a slice twice, and none is lost. False: somebody
 * else is at it.
 */
async function countStretch(tx: Tx, programId: string, { startMs, endMs }: Stretch): Promise<boolean> {
  const position = await lockCursor(tx, programId, 'transaction-totals', lowestIdAt(startMs));
  if (position === undefined) return false;
  const countedMs = timeOf(position);
  if (countedMs >= endMs) return true;
  insertSlices(tx, programId, lowestIdAt(Math.max(startMs, countedMs)), lowestIdAt(endMs));
  insertBlocks(tx, programId, floorTo(BLOCK_MS, countedMs), floorTo(BLOCK_MS, endMs));
  await advanceCursor(tx, programId, 'transaction-totals', lowestIdAt(endMs));
  deleteSlicesBefore(tx, programId, endMs - KEPT_MS);
  return true;
}
