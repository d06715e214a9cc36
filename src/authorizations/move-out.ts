import { setTimeout as pause } from 'node:timers/promises';
import { INSTALLATION_ID } from '../audit/entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { isBusy } from '../db/failures.ts';
import { firstIdAfter, firstIdOf, type Part, partNamed } from '../db/months.ts';
import { addMonths, type Day, dayOf } from '../kernel/calendar.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import { markMoveOut } from '../lists/queries.ts';
import {
  attachPart,
  detachPart,
  hasHolds,
  keepMovedBelow,
  letItTake,
  listPartSizes,
  type PartSize,
} from './part-queries.ts';

/** Holds live a year at most, and what the network still sends of a purchase comes within months. */
const KEPT_MONTHS = 13;
/** Requests that come while the lock is waited for wait as well: shortly, and then they go first. */
const LOCK_MS = 300;
const ATTEMPTS = 200;
const PAUSE_MS = 250;

/** A part of the table, here or moved out. The last one, of what is later than the months that were made, has no end. */
export type KnownPart = PartSize & { part: Part };

export const listMonths = async (db: Database): Promise<KnownPart[]> =>
  (await listPartSizes(db)).flatMap((size) => {
    const part = partNamed(size.name);
    return part ? [{ ...size, part }] : [];
  });

/**
 * Takes the transactions of all months before one out of the table, a whole part at a time, oldest first. They stay
 * in the database as tables of their own, out of everybody's way, to be kept elsewhere and dropped. What stays keeps
 * its number in the lists; money and reports do not need them: those rest on the ledger and the events. `owner` logs
 * in as the owner of the schema.
 */
export async function moveOut(owner: Database, before: Day, actor: string, nowMs: number): Promise<Part[]> {
  const latest = addMonths(`${dayOf(nowMs).slice(0, 7)}-01`, -KEPT_MONTHS);
  if (before > latest)
    throw invalid('--before', `must be ${latest.slice(0, 7)} or earlier: ${KEPT_MONTHS} months stay here`);
  const known = await listMonths(owner);
  const old = known.filter(({ here, part }) => here && part.below <= before).map(({ part }) => part);
  for (const part of old) {
    if (await hasHolds(owner, part.name))
      throw new EmbossError(409, `${part.name} has amounts on hold: run the worker until they have expired`);
    // Most of the work is done before anybody has to wait for it.
    await owner.transaction(async (tx) => {
      letItTake(tx);
      markMoveOut(tx, firstIdAfter(part));
    });
    await change(owner, part, { actor, action: 'transactions.moved_out', nowMs }, (tx) => {
      detachPart(tx, part.name, () => markMoveOut(tx, firstIdAfter(part)));
      keepMovedBelow(tx, firstIdAfter(part));
    });
  }
  return old;
}

/** Puts the parts from a month on back, the newest first. */
export async function bringBack(owner: Database, from: Day, actor: string, nowMs: number): Promise<Part[]> {
  const known = await listMonths(owner);
  const gone = known.filter(({ here }) => !here).map(({ part }) => part);
  const wanted = gone.filter(({ below }) => below > from).reverse();
  for (const part of wanted) {
    const before = gone.filter(({ below }) => below < part.below).at(-1);
    await change(owner, part, { actor, action: 'transactions.brought_back', nowMs }, (tx) => {
      attachPart(tx, part.name, firstIdOf(part), firstIdAfter(part));
      keepMovedBelow(tx, before && firstIdAfter(before));
    });
  }
  return wanted;
}

/** In one transaction with its audit entry, and again when the lock was not to be had in time. */
async function change(
  owner: Database,
  { name }: Part,
  { actor, action, nowMs }: { actor: string; action: string; nowMs: number },
  work: (tx: Tx) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await owner.transaction(
        async (tx) => {
          letItTake(tx);
          work(tx);
          const entry = { programId: INSTALLATION_ID, actor, action, cardId: null, before: null };
          await recordAudit(tx, { ...entry, after: { part: name }, requestId: null, nowMs });
        },
        { lockMs: LOCK_MS, idleMs: 10_000 },
      );
      return;
    } catch (error) {
      if (!isBusy(error) || attempt === ATTEMPTS) throw error;
      await pause(PAUSE_MS);
    }
  }
}
