import { type Database, SETTLED_AFTER_MS } from '../../db/database.ts';
import type { Job } from '../../jobs/job.ts';
import { programJob } from '../../jobs/program-job.ts';
import { MS_PER_DAY } from '../../kernel/calendar.ts';
import { LOWEST_ID, lowestIdAt, timeOf } from '../../kernel/ids.ts';
import { advanceHoldCursor, findCursor } from '../../programs/cursor-queries.ts';
import { programNow, sinceClockMove } from '../../programs/program.ts';
import { readProgram } from '../../programs/queries.ts';
import { findTransactionFrom, listHolds, listRenewedHolds } from '../transactions/queries.ts';
import { type Submit, usualDeadline } from './engine.ts';

const PAGE = 500;
/** How soon transactions are read again that may not be complete yet. */
const AGAIN_MS = 3_000;

interface Services {
  db: Database;
  submit: Submit;
}

export const holdExpiry = (services: Services): Job =>
  programJob(services.db, 'hold-expiry', { everyMs: 2_000, atOnce: 4 }, (programId, { deadline }) =>
    expireHolds(services, programId, deadline),
  );

/**
 * Releases the expired holds of a program. Two cursors advance through the transactions in order of time, one for each
 * length of a hold, so that each transaction is read twice and no index is needed. Stops at `deadline` (by
 * `performance.now()`). Returns when the next hold can expire, in real time: see docs/decisions/0016-background-jobs.md.
 */
export async function expireHolds(
  services: Services,
  programId: string,
  deadline = Number.POSITIVE_INFINITY,
): Promise<number> {
  const short = await expireHoldsOf(services, programId, false, deadline);
  return Math.min(short, await expireHoldsOf(services, programId, true, deadline));
}

async function expireHoldsOf(
  { db, submit }: Services,
  programId: string,
  isLong: boolean,
  deadline: number,
): Promise<number> {
  const { program, realNowMs } = await readProgram(db, programId);
  const cursor = isLong ? 'long-hold-expiry' : 'hold-expiry';
  const heldMs = (isLong ? program.longHoldDays : program.holdDays) * MS_PER_DAY;
  const endMs = programNow(program, realNowMs) - heldMs;
  const endId = lowestIdAt(endMs);
  // An authorization may still hold money on a purchase close to its expiry, and commit after this read.
  const settledId = lowestIdAt(endMs - SETTLED_AFTER_MS);
  let fromId = (await findCursor(db, programId, cursor)) ?? LOWEST_ID;
  // Right after the clock was moved, open transactions may still commit with an old id, so those are read again. On a
  // cluster, so are those of a transaction between its two phases.
  const settled =
    sinceClockMove(program, realNowMs) >= SETTLED_AFTER_MS &&
    (await db.settledBefore(programId, SETTLED_AFTER_MS));
  const release = (transactionId: string) =>
    submit(
      program,
      { kind: 'expiry', purchase: { transactionId } },
      { source: 'job', deadline: usualDeadline() },
    );
  const renewedDueAt = await releaseRenewed();
  let readFromId = fromId;
  while (fromId < endId) {
    if (performance.now() >= deadline) return realNowMs;
    const page = await listHolds(db, programId, fromId, endId, PAGE);
    const due = page.filter(({ held, longHold }) => held && (longHold ?? false) === isLong);
    const released = await Promise.all(due.map(({ id }) => release(id)));
    // The program's hold time was raised meanwhile. The holds that are not due yet must be read again.
    if (released.includes(false)) return realNowMs + AGAIN_MS;
    const last = page.at(-1);
    fromId = last && page.length === PAGE ? last.id : endId;
    if (settled) {
      readFromId = fromId < settledId ? fromId : settledId;
      await advanceHoldCursor(db, programId, cursor, heldMs / MS_PER_DAY, readFromId);
    }
  }
  if (!settled) return realNowMs + AGAIN_MS;
  // Money may come to be held on any transaction that the cursor has not passed, so the first one counts, held or not.
  const nextId = await findTransactionFrom(db, programId, readFromId, 0);
  if (nextId === undefined) return Math.min(renewedDueAt, realNowMs + heldMs - SETTLED_AFTER_MS);
  const dueAt = nextId < endId ? realNowMs + AGAIN_MS : timeOf(nextId) + heldMs + 1 - program.clockOffsetMs;
  return Math.min(renewedDueAt, dueAt);

  /** Those whose days began anew are few, and an index lists them. Returns when the next one is due. */
  async function releaseRenewed(): Promise<number> {
    for (;;) {
      if (performance.now() >= deadline) return realNowMs;
      const page = await listRenewedHolds(db, programId, isLong, PAGE);
      const due = page.filter(({ renewedAt }) => renewedAt.getTime() < endMs);
      const released = await Promise.all(due.map(({ id }) => release(id)));
      // Its days began anew again, or the program's hold time was raised.
      if (released.includes(false)) return realNowMs + AGAIN_MS;
      const next = page[due.length];
      if (next) return next.renewedAt.getTime() + heldMs + 1 - program.clockOffsetMs;
      if (page.length < PAGE) return Number.POSITIVE_INFINITY;
    }
  }
}
