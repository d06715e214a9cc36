import type { Tx } from '../db/database.ts';
import { dayOf } from '../kernel/calendar.ts';
import { newId } from '../kernel/ids.ts';
import { isOwnAccount, OWN_ACCOUNT_IDS } from './accounts.ts';
import { addToAccounts, addToClosingBalances, insertAccounts, insertTransfers } from './queries.ts';
import { deltasOf, type Transfer } from './transfer.ts';

export const openOwnAccounts = (tx: Tx, programId: string): void =>
  insertAccounts(tx, programId, OWN_ACCOUNT_IDS);

/** `id` is the id of the account's owner. */
export const openAccount = (tx: Tx, programId: string, id: string): void =>
  insertAccounts(tx, programId, [id]);

/**
 * Sends transfers, balances and closing balances without awaiting them. The caller holds the lock on every card whose
 * account changes. Call it last: the program's own accounts stay locked until the commit.
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
  const deltas = [...deltasOf(moved)]
    .filter(([, delta]) => delta !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  addToAccounts(tx, programId, deltas);
  addToClosingBalances(
    tx,
    programId,
    deltas.filter(([id]) => isOwnAccount(id)),
    dayOf(nowMs),
  );
}
