import type { Database, Tx } from '../db/database.ts';
import type { Job } from '../jobs/job.ts';
import { programJob } from '../jobs/program-job.ts';
import { addMonths, type Day, dayOf, dayStartMs } from '../kernel/calendar.ts';
import { LOWEST_ID, lowestIdAt, newId } from '../kernel/ids.ts';
import { ACCOUNTS } from '../ledger/accounts.ts';
import { postTransfers } from '../ledger/post-transfers.ts';
import { programNow } from '../programs/program.ts';
import { readProgram } from '../programs/queries.ts';
import { waitUntilClosed } from '../programs/wait-until-closed.ts';
import {
  findMaintenanceMonth,
  insertMaintenanceCharges,
  insertMaintenanceCursor,
  listCardsInUse,
  lockMaintenanceCursor,
  type MaintenanceCursor,
  updateMaintenanceCursor,
} from './maintenance-queries.ts';

const CARDS_AT_ONCE = 2_000;
const PATIENCE_MS = 2_000;
/** How soon a month is tried again that is not closed yet, or that another process is charging. */
const AGAIN_MS = 5_000;

export const maintenanceFees = (db: Database): Job =>
  programJob(db, 'maintenance-fees', { everyMs: 5_000 }, async (programId, { deadline }) => {
    const month = await chargeMaintenance(db, programId, deadline);
    const { program, realNowMs } = await readProgram(db, programId);
    if (programNow(program, realNowMs) < dayStartMs(month)) return dayStartMs(month) - program.clockOffsetMs;
    return performance.now() >= deadline ? realNowMs : realNowMs + AGAIN_MS;
  });

const monthStart = (day: Day): Day => `${day.slice(0, 7)}-01`;

/**
 * Charges the monthly maintenance fee for every month that has begun. A charge is dated the first day of the month and
 * applies to each card that existed and was neither blocked nor expired at the start of that day. The function
 * processes the cards in order of their ids and commits its cursor with the charges, so that the next call continues
 * after any interruption. It returns the first month that is not charged in full, which is later than the current month
 * when all charges are done. It stops at `deadline`. `atOnce` is the number of cards in one transaction, which locks
 * the account that all costs are credited to while it commits.
 */
export async function chargeMaintenance(
  db: Database,
  programId: string,
  deadline = Number.POSITIVE_INFINITY,
  atOnce = CARDS_AT_ONCE,
): Promise<Day> {
  const { program, realNowMs } = await readProgram(db, programId);
  const thisMonth = monthStart(dayOf(programNow(program, realNowMs)));
  const firstMonth = addMonths(monthStart(dayOf(program.createdAt.getTime())), 1);
  let month = (await findMaintenanceMonth(db, programId)) ?? firstMonth;
  if (month > thisMonth) return month;
  // Transactions dated before this month may still create or block cards.
  if (!(await waitUntilClosed(db, programId, dayStartMs(thisMonth), PATIENCE_MS))) return month;
  do {
    const next = await db.transaction((tx) => chargeSome(tx, programId, { firstMonth, thisMonth, atOnce }));
    // Another process is charging this program.
    if (next === undefined) return month;
    month = next;
  } while (month <= thisMonth && performance.now() < deadline);
  return month;
}

/** Charges one batch. Returns the month to continue with; undefined if another process locks the cursor. */
async function chargeSome(
  tx: Tx,
  programId: string,
  { firstMonth, thisMonth, atOnce }: { firstMonth: Day; thisMonth: Day; atOnce: number },
): Promise<Day | undefined> {
  insertMaintenanceCursor(tx, programId, firstMonth, LOWEST_ID);
  const [cursor, now] = await Promise.all([lockMaintenanceCursor(tx, programId), readProgram(tx, programId)]);
  if (!cursor) return undefined;
  const { month } = cursor;
  if (month > thisMonth) return month;
  const feeMinor = cursor.feeMinor ?? now.program.maintenanceFeeMinor;
  const free = feeMinor === 0n;
  const cards = free ? [] : await listNext(tx, programId, cursor, atOnce);
  const last = cards.at(-1);
  const next =
    last && cards.length === atOnce
      ? { month, position: last.id, feeMinor }
      : { month: addMonths(free ? thisMonth : month, 1), position: LOWEST_ID, feeMinor: null };
  updateMaintenanceCursor(tx, programId, next);
  const charged = cards.filter(({ inUse }) => inUse).map(({ id }) => id);
  if (charged.length > 0) charge(tx, programId, month, feeMinor, charged);
  return next.month;
}

const listNext = (tx: Tx, programId: string, { month, position }: MaintenanceCursor, limit: number) =>
  listCardsInUse(tx, programId, {
    afterId: position,
    endId: lowestIdAt(dayStartMs(month)),
    day: month,
    limit,
  });

function charge(tx: Tx, programId: string, month: Day, feeMinor: bigint, cardIds: readonly string[]): void {
  const atMs = dayStartMs(month);
  const movementIds = cardIds.map(() => newId(atMs));
  insertMaintenanceCharges(tx, programId, month, cardIds, movementIds);
  const transfers = movementIds.map((movementId) => ({
    movementId,
    code: 'maintenance_fee' as const,
    debitAccountId: ACCOUNTS.maintenanceCost,
    creditAccountId: ACCOUNTS.payable,
    amountMinor: feeMinor,
  }));
  postTransfers(tx, programId, transfers, atMs);
}
