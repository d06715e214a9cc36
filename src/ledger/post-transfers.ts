import type { Tx } from '../db/database.ts';
import { type Day, dayOf } from '../kernel/calendar.ts';
import { newId } from '../kernel/ids.ts';
import { isOwnAccount, OWN_ACCOUNT_IDS } from './accounts.ts';
import {
  addToAccounts,
  addToDailyBalances,
  addToLaterDays,
  insertAccounts,
  insertTransfers,
  lockAccounts,
} from './queries.ts';
import { deltasOf, type Transfer } from './transfer.ts';

export const openOwnAccounts = (tx: Tx, programId: string): void =>
  insertAccounts(tx, programId, OWN_ACCOUNT_IDS);

/** `id` is the id of what the account belongs to. */
export const openAccount = (tx: Tx, programId: string, id: string): void =>
  insertAccounts(tx, programId, [id]);

/**
 * Writes transfers, balances and closing balances; everything is sent, nothing awaited. The caller holds the lock on
 * every card whose account moves. Send it last: the program's own accounts stay locked until the commit.
 */
export function postTransfers(
  tx: Tx,
  programId: string,
  transfers: readonly Transfer[],
  nowMs: number,
): void {
  const moved = transfers.filter(({ amountMinor }) => amountMinor !== 0n);
  if (moved.length === 0) return;
  insertTransfers(
    tx,
    programId,
    moved,
    moved.map(() => newId(nowMs)),
    new Date(nowMs),
  );
  const deltas = [...deltasOf(moved)].filter(([, delta]) => delta !== 0n);
  const ownDeltas = deltas.filter(([id]) => isOwnAccount(id));
  lockAccounts(
    tx,
    programId,
    ownDeltas.map(([id]) => id),
  );
  addToAccounts(tx, programId, deltas);
  keepClosingBalances(tx, programId, ownDeltas, dayOf(nowMs));
}

/** A movement of 23:59 may commit after one of 00:00: what it adds to its own day is added to the later ones too. */
function keepClosingBalances(
  tx: Tx,
  programId: string,
  deltas: ReadonlyArray<readonly [string, bigint]>,
  day: Day,
): void {
  addToDailyBalances(tx, programId, deltas, day);
  addToLaterDays(tx, programId, deltas, day);
}
