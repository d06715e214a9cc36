import type { Database } from '../../db/database.ts';
import { LOWEST_ID, lowestIdAt } from '../../kernel/ids.ts';
import { SETTLED_AFTER_MS } from '../../lists/extend-milestones.ts';
import { advanceCursor, findCursor } from '../../programs/cursor-queries.ts';
import { programNow, sinceClockMove } from '../../programs/program.ts';
import { readProgram } from '../../programs/queries.ts';
import { holdsExpireBefore } from '../rules/apply-expiry.ts';
import { listHolds } from '../transactions/queries.ts';
import type { Submit } from './engine.ts';

const STRETCH = 500;

/**
 * Releases the expired holds of a program. A cursor advances through the transactions in order of time, so that each
 * transaction is read once and no index is needed. Stops at `deadline` (by `performance.now()`); the next call
 * continues.
 */
export async function expireHolds(
  { db, submit }: { db: Database; submit: Submit },
  programId: string,
  deadline = Number.POSITIVE_INFINITY,
): Promise<void> {
  const now = await readProgram(db, programId);
  if (!now) return;
  const { program, realNowMs } = now;
  const endMs = holdsExpireBefore(program.holdDays, programNow(program, realNowMs));
  const endId = lowestIdAt(endMs);
  // An authorization may still hold money on a purchase close to its expiry, and commit after this read.
  const settledId = lowestIdAt(endMs - SETTLED_AFTER_MS);
  let fromId = (await findCursor(db, programId, 'hold-expiry')) ?? LOWEST_ID;
  // Right after the clock was moved, open transactions may still commit with an old id, so those are read again.
  const settled = sinceClockMove(program, realNowMs) >= SETTLED_AFTER_MS;
  while (fromId < endId && performance.now() < deadline) {
    const stretch = await listHolds(db, programId, fromId, endId, STRETCH);
    const due = stretch.filter(({ held }) => held);
    const released = await Promise.all(
      due.map(({ id }) => submit(programId, { kind: 'expiry', purchase: { transactionId: id } })),
    );
    // The program's hold time was raised meanwhile. The holds that are not due yet must be read again.
    if (released.includes(false)) return;
    const last = stretch.at(-1);
    fromId = last && stretch.length === STRETCH ? last.id : endId;
    if (settled) await advanceCursor(db, programId, 'hold-expiry', fromId < settledId ? fromId : settledId);
  }
}
