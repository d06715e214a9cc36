import { setTimeout as pause } from 'node:timers/promises';
import { auditInstallation } from '../audit/audit.ts';
import type { Identity } from '../audit/entry.ts';
import type { Database, Queryable, Tx } from '../db/database.ts';
import { isBusy } from '../db/failures.ts';
import { firstIdAfter, firstIdOf, type Part, partNamed } from '../db/months.ts';
import { addMonths, type Day, dayOf } from '../kernel/calendar.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import { forgetTransactionMilestones, markMoveOut } from '../lists/queries.ts';
import {
  attachPart,
  detachPart,
  findMovedOutBelow,
  hasHolds,
  liftStatementLimit,
  listPartSizes,
  lockMilestones,
  type PartSize,
  setMovedOutBelow,
  takeTurn,
} from './part-queries.ts';

/** Holds live a year at most, and what the network still sends of a purchase comes within months. */
const KEPT_MONTHS = 13;
/** Requests that come while the lock is waited for wait as well: shortly, and then for longer and longer not at all. */
const LOCK_MS = 200;
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000, 60_000, 60_000];

/** Without `part` it is the last one, of what is later than the months that were made. */
export type ListedPart = PartSize & { part: Part | undefined };

export const listParts = async (db: Queryable): Promise<ListedPart[]> =>
  (await listPartSizes(db)).map((size) => ({ ...size, part: partNamed(size.name) }));

/** Those with a beginning and an end, oldest first. */
export const listMonths = async (db: Queryable): Promise<Array<PartSize & { part: Part }>> =>
  (await listParts(db)).flatMap(({ part, ...size }) => (part ? [{ ...size, part }] : []));

export interface Move {
  /** Logs in as the owner of the schema. */
  owner: Database;
  actor: Identity;
  /** By the database's clock. */
  nowMs: number;
  onMoved?: (part: Part) => void;
}

/**
 * Takes the transactions of all months before one out of the table, a whole part at a time, oldest first. They stay
 * in the database as tables of their own, out of everybody's way, to be kept elsewhere and dropped. What stays keeps
 * its number in the lists; money does not need them: it rests on the ledger.
 */
export async function moveOut(move: Move, before: Day): Promise<Part[]> {
  const latest = addMonths(`${dayOf(move.nowMs).slice(0, 7)}-01`, -KEPT_MONTHS);
  if (before > latest)
    throw invalid('--before', `must be ${latest.slice(0, 7)} or earlier: ${KEPT_MONTHS} months stay here`);
  const oldest = async (db: Queryable) =>
    (await listMonths(db)).find(({ here, part }) => here && part.below <= before)?.part;
  return inTurn(move, 'transactions.moved_out', oldest, async (tx, part) => {
    if (await hasHolds(tx, part.name))
      throw new EmbossError(409, `${part.name} has amounts on hold: run the worker until they have expired`);
    lockMilestones(tx);
    markMoveOut(tx, firstIdAfter(part));
    detachPart(tx, part.name);
    setMovedOutBelow(tx, firstIdAfter(part));
  });
}

/** Puts the parts from a month on back, the newest first. */
export async function bringBack(move: Move, from: Day): Promise<Part[]> {
  const newest = async (db: Queryable) => {
    const [known, belowId] = [await listMonths(db), await findMovedOutBelow(db)];
    if (belowId === undefined) return undefined;
    const gone = known.filter(({ here, part }) => !here && part.below > from).at(-1)?.part;
    if (gone && firstIdAfter(gone) !== belowId)
      throw new EmbossError(409, `what comes after ${gone.name} is not here: restore its dump first`);
    return gone;
  };
  return inTurn(move, 'transactions.brought_back', newest, async (tx, part) => {
    lockMilestones(tx);
    attachPart(tx, part.name, firstIdOf(part), firstIdAfter(part));
    forgetTransactionMilestones(tx);
    setMovedOutBelow(tx, firstIdOf(part));
  });
}

/** One part after the other, each in a transaction with its audit entry, in which it is looked for again. */
async function inTurn(
  { owner, actor, onMoved = () => {} }: Move,
  action: string,
  next: (db: Queryable) => Promise<Part | undefined>,
  change: (tx: Tx, part: Part) => Promise<void>,
): Promise<Part[]> {
  const moved: Part[] = [];
  for (;;) {
    const part = await whenFree(() =>
      owner.transaction(
        async (tx) => {
          liftStatementLimit(tx);
          takeTurn(tx);
          const found = await next(tx);
          if (!found) return undefined;
          await change(tx, found);
          await auditInstallation(tx, actor, action, { after: { part: found.name } });
          return found;
        },
        { lockMs: LOCK_MS, idleMs: 1_000 },
      ),
    );
    if (!part) return moved;
    moved.push(part);
    onMoved(part);
  }
}

/** Again and again while the lock is not to be had in time: a report or a dump may read for long. */
async function whenFree<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      await pause(pauseMs);
    }
  }
  return work();
}
