import { listCounters } from '../../cards/counter-queries.ts';
import type { Database, Tx } from '../../db/database.ts';
import { readMonthsStart } from '../../db/months.ts';
import { HIGHEST_ID, LOWEST_ID } from '../../kernel/ids.ts';
import { ACCOUNTS, nameOfAccount } from '../../ledger/accounts.ts';
import { findBalance, findTransferAfter } from '../../ledger/queries.ts';
import { heldFees } from '../core/transaction.ts';
import { findTransactionFrom } from '../transactions/queries.ts';
import { listHeld, sumHeldByCard, sumTransactionsByCard, sumUnmatched } from './queries.ts';

/** As in `ledger/verify-ledger.ts`. */
const ROWS_AT_ONCE = 50_000;

/** What is kept of a card to judge its limits, and its usage. */
const TOTALS = {
  totalSpentMinor: 'amount spent',
  heldMinor: 'amount held',
  refundedMinor: 'amount refunded',
} as const;
type Total = keyof typeof TOTALS;
type CounterName = (typeof TOTALS)[Total] | 'purchases in use';

/** The first difference between the ledger and what its movements are of. */
export interface BooksDifference {
  what: 'held amount' | 'amount without a card' | CounterName;
  account: string;
  /** Null: transfers of holds without an event. */
  accountId: string | null;
  day: null;
  expectedMinor: bigint;
  keptMinor: bigint;
}

export interface BooksReport {
  /** Transactions that hold money. */
  holds: number;
  /** Clearings and refunds of numbers that no card has. */
  unmatched: number;
  difference: BooksDifference | undefined;
}

/**
 * Checks that the ledger holds for each card what its transactions hold, that the account of suspense has what cleared
 * without a card, and that the counters of each card, by which its limits are judged, are what its transactions are. It reads one snapshot, a page at a time.
 */
export const verifyBooks = (db: Database, programId: string): Promise<BooksReport> =>
  db.snapshot(async (tx) => {
    const { count: holds, heldMinor } = await addUpHolds(tx, programId);
    const { count: unmatched, openMinor } = await sumUnmatched(tx, programId);
    const difference =
      (await compareHolds(tx, programId, heldMinor)) ??
      (await compareSuspense(tx, programId, openMinor)) ??
      (await compareCounters(tx, programId));
    return { holds, unmatched, difference };
  });

async function addUpHolds(tx: Tx, programId: string) {
  const heldMinor = new Map<string | null, bigint>();
  let count = 0;
  for (let fromId: string | undefined = LOWEST_ID; fromId; ) {
    const toId: string | undefined = await findTransactionFrom(tx, programId, fromId, ROWS_AT_ONCE);
    for (const { cardId, ...terms } of await listHeld(tx, programId, fromId, toId ?? HIGHEST_ID)) {
      const fees = heldFees(terms);
      const minor = terms.heldMinor + fees.fxMinor + fees.atmMinor;
      heldMinor.set(cardId, (heldMinor.get(cardId) ?? 0n) + minor);
      count++;
    }
    fromId = toId;
  }
  return { count, heldMinor };
}

async function compareHolds(
  tx: Tx,
  programId: string,
  expected: ReadonlyMap<string | null, bigint>,
): Promise<BooksDifference | undefined> {
  const kept = new Map<string | null, bigint>();
  for (let fromId: string | undefined = LOWEST_ID; fromId; ) {
    const toId: string | undefined = await findTransferAfter(tx, programId, fromId, ROWS_AT_ONCE);
    for (const { cardId, deltaMinor } of await sumHeldByCard(tx, programId, fromId, toId ?? HIGHEST_ID))
      kept.set(cardId, (kept.get(cardId) ?? 0n) + BigInt(deltaMinor));
    fromId = toId;
  }
  for (const cardId of new Set([...expected.keys(), ...kept.keys()])) {
    const [expectedMinor, keptMinor] = [expected.get(cardId) ?? 0n, kept.get(cardId) ?? 0n];
    if (expectedMinor !== keptMinor)
      return {
        what: 'held amount',
        account: cardId === null ? 'no card' : nameOfAccount(cardId),
        accountId: cardId,
        day: null,
        expectedMinor,
        keptMinor,
      };
  }
  return undefined;
}

/** What is owed to the network without a card is on the other side of the account. */
async function compareSuspense(
  tx: Tx,
  programId: string,
  expectedMinor: bigint,
): Promise<BooksDifference | undefined> {
  const accountId = ACCOUNTS.suspense;
  const keptMinor = -(await findBalance(tx, programId, accountId));
  if (keptMinor === expectedMinor) return undefined;
  const account = nameOfAccount(accountId);
  return { what: 'amount without a card', account, accountId, day: null, expectedMinor, keptMinor };
}

type Sums = Record<Total | 'uses', bigint>;
const NO_SUMS: Sums = { totalSpentMinor: 0n, heldMinor: 0n, refundedMinor: 0n, uses: 0n };

/** The cards whose first months were archived are left out: what they have spent is more than their transactions show. */
async function compareCounters(tx: Tx, programId: string): Promise<BooksDifference | undefined> {
  const startId = await readMonthsStart(tx, 'transactions');
  const sums = await addUpCards(tx, programId);
  for (let afterId = startId; ; ) {
    const cards = await listCounters(tx, programId, afterId, ROWS_AT_ONCE);
    for (const { cardId, used, ...kept } of cards) {
      const expected = sums.get(cardId) ?? NO_SUMS;
      const wrong = (Object.keys(TOTALS) as Total[]).find((name) => kept[name] !== expected[name]);
      const of = { account: nameOfAccount(cardId), accountId: cardId, day: null };
      if (wrong)
        return { what: TOTALS[wrong], ...of, expectedMinor: expected[wrong], keptMinor: kept[wrong] };
      if (used && BigInt(used.purchases) !== expected.uses)
        return {
          what: 'purchases in use',
          ...of,
          expectedMinor: expected.uses,
          keptMinor: BigInt(used.purchases),
        };
    }
    const last = cards.at(-1);
    if (!last || cards.length < ROWS_AT_ONCE) return undefined;
    afterId = last.cardId;
  }
}

async function addUpCards(tx: Tx, programId: string): Promise<Map<string, Sums>> {
  const sums = new Map<string, Sums>();
  for (let fromId: string | undefined = LOWEST_ID; fromId; ) {
    const toId: string | undefined = await findTransactionFrom(tx, programId, fromId, ROWS_AT_ONCE);
    for (const row of await sumTransactionsByCard(tx, programId, fromId, toId ?? HIGHEST_ID)) {
      const { totalSpentMinor, heldMinor, refundedMinor, uses } = sums.get(row.cardId) ?? NO_SUMS;
      sums.set(row.cardId, {
        totalSpentMinor: totalSpentMinor + BigInt(row.spentMinor),
        heldMinor: heldMinor + BigInt(row.heldMinor),
        refundedMinor: refundedMinor + BigInt(row.refundedMinor),
        uses: uses + BigInt(row.uses),
      });
    }
    fromId = toId;
  }
  return sums;
}
