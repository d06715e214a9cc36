import { hasPrepared } from '../../db/cluster.ts';
import type { Database } from '../../db/database.ts';
import { MS_PER_DAY } from '../../kernel/calendar.ts';
import { LOWEST_ID, lowestIdAt } from '../../kernel/ids.ts';
import { SETTLED_AFTER_MS } from '../../lists/extend-milestones.ts';
import { advanceHoldCursor, findCursor } from '../../programs/cursor-queries.ts';
import { programNow, sinceClockMove } from '../../programs/program.ts';
import { readProgram } from '../../programs/queries.ts';
import { isLongHold } from '../core/hold-days.ts';
import { listHolds } from '../transactions/queries.ts';
import { type Submit, usualDeadline } from './engine.ts';

const PAGE = 500;

/**
 * Releases the expired holds of a program. Two cursors advance through the transactions in order of time, one for each
 * length of a hold, so that each transaction is read twice and no index is needed. Stops at `deadline` (by
 * `performance.now()`); the next call continues.
 */
export async function expireHolds(
  services: { db: Database; submit: Submit },
  programId: string,
  deadline = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (const isLong of [false, true]) await expireHoldsOf(services, programId, isLong, deadline);
}

async function expireHoldsOf(
  { db, submit }: { db: Database; submit: Submit },
  programId: string,
  isLong: boolean,
  deadline: number,
): Promise<void> {
  const now = await readProgram(db, programId);
  if (!now) return;
  const { program, realNowMs } = now;
  const cursor = isLong ? 'long-hold-expiry' : 'hold-expiry';
  const days = isLong ? program.longHoldDays : program.holdDays;
  const endMs = programNow(program, realNowMs) - days * MS_PER_DAY;
  const endId = lowestIdAt(endMs);
  // An authorization may still hold money on a purchase close to its expiry, and commit after this read.
  const settledId = lowestIdAt(endMs - SETTLED_AFTER_MS);
  let fromId = (await findCursor(db, programId, cursor)) ?? LOWEST_ID;
  // Right after the clock was moved, open transactions may still commit with an old id, so those are read again. On a
  // cluster, so are those of a transaction between its two phases.
  const settled =
    sinceClockMove(program, realNowMs) >= SETTLED_AFTER_MS && !(await hasPrepared(db, programId));
  const release = (transactionId: string) =>
    submit(
      program,
      { kind: 'expiry', purchase: { transactionId } },
      { source: 'job', deadline: usualDeadline() },
    );
  while (fromId < endId && performance.now() < deadline) {
    const page = await listHolds(db, programId, fromId, endId, PAGE);
    const due = page.filter(({ held, mcc }) => held && isLongHold(mcc) === isLong);
    const released = await Promise.all(due.map(({ id }) => release(id)));
    // The program's hold time was raised meanwhile. The holds that are not due yet must be read again.
    if (released.includes(false)) return;
    const last = page.at(-1);
    fromId = last && page.length === PAGE ? last.id : endId;
    if (settled)
      await advanceHoldCursor(db, programId, cursor, days, fromId < settledId ? fromId : settledId);
  }
}
