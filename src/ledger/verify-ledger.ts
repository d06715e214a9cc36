import type { Database, Tx } from '../db/database.ts';
import type { Day } from '../kernel/calendar.ts';
import { HIGHEST_ID, LOWEST_ID, timeOf } from '../kernel/ids.ts';
import { nameOfAccount, OWN_ACCOUNT_IDS } from './accounts.ts';
import {
  findTransferAfter,
  findTransferEnds,
  listAccounts,
  listDailyBalances,
  sumTransfers,
} from './queries.ts';

/** Small enough for the statement timeout on a slow disk, large enough to amortise the round trips. */
const TRANSFERS_AT_ONCE = 50_000;
const ACCOUNTS_AT_ONCE = 20_000;

/** The first difference between a stored value and the transfers. */
export interface Difference {
  what: 'balance' | 'closing balance' | 'sum of all accounts';
  account: string | null;
  accountId: string | null;
  day: Day | null;
  expectedMinor: bigint;
  /** Null: there is no such row. */
  keptMinor: bigint | null;
}

export interface LedgerReport {
  transfers: number;
  accounts: number;
  closingBalances: number;
  difference: Difference | undefined;
}

/** Balances derived from transfers: one per account, and for the program's own accounts one per day. */
interface Derived {
  transfers: number;
  balances: Map<string, bigint>;
  days: Map<string, Map<Day, bigint>>;
}

/**
 * Sums all transfers of a program and checks every balance, every closing balance, and that all accounts sum to zero. It
 * reads one snapshot, a page at a time, so it is correct while money moves.
 */
export async function verifyLedger(
  db: Database,
  programId: string,
  onProgress: (share: number) => void = () => {},
): Promise<LedgerReport> {
  return db.snapshot(async (tx) => {
    const derived = await addUpTransfers(tx, programId, onProgress);
    const { accounts, ...balances } = await compareBalances(tx, programId, derived.balances);
    const days = balances.difference ? undefined : await compareDays(tx, programId, derived.days);
    return {
      transfers: derived.transfers,
      accounts,
      closingBalances: days?.closingBalances ?? 0,
      difference: balances.difference ?? days?.difference,
    };
  });
}

async function addUpTransfers(
  tx: Tx,
  programId: string,
  onProgress: (share: number) => void,
): Promise<Derived> {
  const derived: Derived = { transfers: 0, balances: new Map(), days: new Map() };
  const ends = await findTransferEnds(tx, programId);
  if (!ends) return derived;
  const [firstMs, lastMs] = [timeOf(ends.firstId), timeOf(ends.lastId)];
  for (let fromId = LOWEST_ID; fromId < ends.lastId; ) {
    const toId = (await findTransferAfter(tx, programId, fromId, TRANSFERS_AT_ONCE)) ?? HIGHEST_ID;
    let sides = 0;
    for (const sum of await sumTransfers(tx, programId, fromId, toId, OWN_ACCOUNT_IDS)) {
      const { accountId, day } = sum;
      const deltaMinor = BigInt(sum.deltaMinor);
      sides += sum.sides;
      add(derived.balances, accountId, deltaMinor);
      if (day !== null) add(entry(derived.days, accountId), day, deltaMinor);
    }
    derived.transfers += sides / 2;
    fromId = toId;
    onProgress(toId < ends.lastId ? (timeOf(toId) - firstMs) / (lastMs - firstMs || 1) : 1);
  }
  return derived;
}

/** Removes every matching account from `derived`: the rest has transfers but no account. */
async function compareBalances(tx: Tx, programId: string, derived: Map<string, bigint>) {
  let accounts = 0;
  let sumMinor = 0n;
  for (let fromId = LOWEST_ID; ; ) {
    const page = await listAccounts(tx, programId, fromId, ACCOUNTS_AT_ONCE);
    for (const { id, balanceMinor } of page) {
      const expectedMinor = derived.get(id) ?? 0n;
      accounts++;
      sumMinor += balanceMinor;
      if (balanceMinor !== expectedMinor)
        return { accounts, difference: wrong('balance', id, null, expectedMinor, balanceMinor) };
      derived.delete(id);
    }
    const last = page.at(-1);
    if (!last || page.length < ACCOUNTS_AT_ONCE) break;
    fromId = last.id;
  }
  for (const [id, expectedMinor] of derived)
    return { accounts, difference: wrong('balance', id, null, expectedMinor, null) };
  const difference = sumMinor === 0n ? undefined : wrong('sum of all accounts', null, null, 0n, sumMinor);
  return { accounts, difference };
}

async function compareDays(tx: Tx, programId: string, derived: Derived['days']) {
  let closingBalances = 0;
  for (const accountId of OWN_ACCOUNT_IDS) {
    const rows = await listDailyBalances(tx, programId, accountId);
    closingBalances += rows.length;
    const kept = new Map(rows.map(({ day, balanceMinor }) => [day, balanceMinor]));
    const difference = compareDaysOf(accountId, derived.get(accountId) ?? new Map(), kept);
    if (difference) return { closingBalances, difference };
  }
  return { closingBalances, difference: undefined };
}

/** A day without a row closes like the day before: rows exist only for days on which the balance changed. */
function compareDaysOf(
  accountId: string,
  moved: Map<Day, bigint>,
  kept: Map<Day, bigint>,
): Difference | undefined {
  let expectedMinor = 0n;
  let closingMinor = 0n;
  for (const day of [...new Set([...moved.keys(), ...kept.keys()])].sort()) {
    expectedMinor += moved.get(day) ?? 0n;
    closingMinor = kept.get(day) ?? closingMinor;
    if (closingMinor !== expectedMinor)
      return wrong('closing balance', accountId, day, expectedMinor, kept.get(day) ?? null);
  }
  return undefined;
}

const wrong = (
  what: Difference['what'],
  accountId: string | null,
  day: Day | null,
  expectedMinor: bigint,
  keptMinor: bigint | null,
): Difference => ({
  what,
  account: accountId && nameOfAccount(accountId),
  accountId,
  day,
  expectedMinor,
  keptMinor,
});

function add(sums: Map<string, bigint>, key: string, delta: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + delta);
}

function entry(days: Derived['days'], accountId: string): Map<Day, bigint> {
  const known = days.get(accountId) ?? new Map<Day, bigint>();
  days.set(accountId, known);
  return known;
}
