import { column, unnested } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { Day } from '../kernel/calendar.ts';
import { lowestIdAt, timeOf } from '../kernel/ids.ts';
import { ACCOUNTS } from './accounts.ts';
import type { Transfer } from './transfer.ts';

type Deltas = ReadonlyArray<readonly [accountId: string, deltaMinor: bigint]>;
const columnsOf = (deltas: Deltas) => [
  column(deltas.map(([id]) => id)),
  column(deltas.map(([, delta]) => delta)),
];

export function insertAccounts(tx: Tx, programId: string, ids: readonly string[]): void {
  tx.send(
    {
      name: 'insert_ledger_accounts',
      text: `insert into ledger_accounts (program_id, id, balance_minor)
             select $1, id, 0 from unnest($2::uuid[]) as account (id)`,
    },
    [programId, ids],
  );
}

export function insertTransfers(
  tx: Tx,
  programId: string,
  transfers: readonly Transfer[],
  ids: readonly string[],
  createdAt: Date,
): void {
  tx.send(
    {
      name: 'insert_ledger_transfers',
      text: `insert into ledger_transfers
               (program_id, id, movement_id, code, debit_account_id, credit_account_id, amount_minor, created_at)
             select $1, ${unnested(2, 'uuid uuid text uuid uuid bigint')}, $8`,
    },
    [
      programId,
      column(ids),
      column(transfers.map(({ movementId }) => movementId)),
      column(transfers.map(({ code }) => code)),
      column(transfers.map(({ debitAccountId }) => debitAccountId)),
      column(transfers.map(({ creditAccountId }) => creditAccountId)),
      column(transfers.map(({ amountMinor }) => amountMinor)),
      createdAt,
    ],
  );
}

/**
 * Locks the accounts in the order of `deltas`: two transactions that sort them never deadlock. The accounts exist. Written
 * as an insert, each is found by its key; the planner may join an update in worse ways.
 */
export function addToAccounts(tx: Tx, programId: string, deltas: Deltas): void {
  tx.send(
    {
      name: 'add_to_ledger_accounts',
      text: `insert into ledger_accounts as a (program_id, id, balance_minor)
             select $1, ${unnested(2, 'uuid bigint')}
             on conflict (program_id, id) do update set balance_minor = a.balance_minor + excluded.balance_minor`,
    },
    [programId, ...columnsOf(deltas)],
  );
}

/**
 * A new day starts from the last row before it. A movement of 23:59 may commit after one of 00:00, so its amount is also
 * added to later days. Call it while the accounts are locked.
 */
export function addToClosingBalances(tx: Tx, programId: string, deltas: Deltas, day: Day): void {
  tx.send(
    {
      name: 'add_to_ledger_closing_balances',
      text: `insert into ledger_daily_balances (program_id, account_id, day, balance_minor)
             select $1, change.id, closing.day, change.delta + closing.balance
             from unnest($2::uuid[], $3::bigint[]) as change (id, delta)
             cross join lateral (
               select $4::date as day, coalesce((
                 select before.balance_minor from ledger_daily_balances before
                 where before.program_id = $1 and before.account_id = change.id and before.day <= $4
                 order by before.day desc limit 1), 0) as balance
               union all
               select later.day, later.balance_minor from ledger_daily_balances later
               where later.program_id = $1 and later.account_id = change.id and later.day > $4) closing
             on conflict (program_id, account_id, day) do update set balance_minor = excluded.balance_minor`,
    },
    [programId, ...columnsOf(deltas), day],
  );
}

export async function findBalance(db: Queryable, programId: string, accountId: string): Promise<bigint> {
  const rows = await db.query<{ balance: bigint }>(
    {
      name: 'find_ledger_balance',
      text: 'select balance_minor as balance from ledger_accounts where program_id = $1 and id = $2',
    },
    [programId, accountId],
  );
  if (!rows[0]) throw new Error(`ledger account ${accountId} does not exist`);
  return rows[0].balance;
}

/** The balances of accounts, by their ids. */
export async function findBalances(
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, bigint>> {
  const rows = await db.query<{ id: string; balance: bigint }>(
    {
      name: 'find_ledger_balances',
      text: `select wanted.id, a.balance_minor as balance from unnest($2::uuid[]) as wanted (id)
             cross join lateral ${balanceOf('$1', 'wanted.id')} a`,
    },
    [programId, column(ids)],
  );
  return new Map(rows.map(({ id, balance }) => [id, balance]));
}

/** The program's money, in one statement: a hold moves it from one account to the other. */
export async function findMasterBalances(
  db: Queryable,
  programId: string,
): Promise<{ masterMinor: bigint; heldMinor: bigint }> {
  const balance = (account: string) => balanceOf('$1', `'${account}'`);
  const rows = await db.query<{ masterMinor: bigint; heldMinor: bigint }>(
    {
      name: 'find_master_balances',
      text: `select ${balance(ACCOUNTS.master)} as master_minor, ${balance(ACCOUNTS.holds)} as held_minor`,
    },
    [programId],
  );
  return rows[0] as { masterMinor: bigint; heldMinor: bigint };
}

/** The oldest and the newest transfer, or none. */
export async function findTransferEnds(
  tx: Tx,
  programId: string,
): Promise<{ firstId: string; lastId: string } | undefined> {
  const rows = await tx.query<{ firstId: string | null; lastId: string }>(
    `select (select id from ledger_transfers where program_id = $1 order by id limit 1) as first_id,
            (select id from ledger_transfers where program_id = $1 order by id desc limit 1) as last_id`,
    [programId],
  );
  const [ends] = rows;
  return ends?.firstId ? { firstId: ends.firstId, lastId: ends.lastId } : undefined;
}

/** The last of the next `limit` transfers after an id; undefined if fewer are left. */
export async function findTransferAfter(
  tx: Tx,
  programId: string,
  afterId: string,
  limit: number,
): Promise<string | undefined> {
  const rows = await tx.query<{ id: string }>(
    `select id from ledger_transfers where program_id = $1 and id > $2 order by id offset $3 limit 1`,
    [programId, afterId, limit - 1],
  );
  return rows[0]?.id;
}

export interface TransferSum {
  accountId: string;
  /** Only for the accounts in `dailyIds`. */
  day: Day | null;
  /** Text, because a sum may exceed a bigint of the database. */
  deltaMinor: string;
  /** Number of debits and credits. */
  sides: number;
}

/** Sums the transfers after one id and up to another, by account. */
export const sumTransfers = (
  tx: Tx,
  programId: string,
  afterId: string,
  lastId: string,
  dailyIds: readonly string[],
): Promise<TransferSum[]> =>
  tx.query<TransferSum>(
    `select side.account_id, side.day, sum(side.delta)::text as delta_minor,
            count(*)::int as sides
     from ledger_transfers t
     cross join lateral (
       select account_id, delta,
              case when account_id = any ($4::uuid[]) then (t.created_at at time zone 'utc')::date end as day
       from (values (t.debit_account_id, -t.amount_minor), (t.credit_account_id, t.amount_minor))
         as part (account_id, delta)) side
     where t.program_id = $1 and t.id > $2 and t.id <= $3
     group by 1, 2`,
    [programId, afterId, lastId, dailyIds],
  );

export const listAccounts = (
  tx: Tx,
  programId: string,
  afterId: string,
  limit: number,
): Promise<Array<{ id: string; balanceMinor: bigint }>> =>
  tx.query(
    `select id, balance_minor from ledger_accounts
     where program_id = $1 and id > $2 order by id limit $3`,
    [programId, afterId, limit],
  );

/** The closing balances of one account, oldest first: one row per day. */
export const listDailyBalances = (
  tx: Tx,
  programId: string,
  accountId: string,
): Promise<Array<{ day: Day; balanceMinor: bigint }>> =>
  tx.query(
    `select day, balance_minor from ledger_daily_balances
     where program_id = $1 and account_id = $2 order by day`,
    [programId, accountId],
  );

export async function lockMasterBalance(tx: Tx, programId: string): Promise<bigint | undefined> {
  const rows = await tx.query<{ balance: bigint }>(
    {
      name: 'lock_master_balance',
      locks: true,
      text: `select balance_minor as balance from ledger_accounts
             where program_id = $1 and id = '${ACCOUNTS.master}' for update`,
    },
    [programId],
  );
  return rows[0]?.balance;
}

export interface TransferRow {
  id: string;
  movementId: string;
  code: string;
  debitAccountId: string;
  creditAccountId: string;
  amountMinor: bigint;
}

/**
 * The transfers of movements. Transfers are created in the same millisecond as their movement, so the bounds of their ids
 * are known; an index by movement would slow every authorization. Movements of one moment are read together.
 */
export const findTransfers = (
  db: Queryable,
  programId: string,
  movementIds: readonly string[],
): Promise<TransferRow[]> =>
  db.query<TransferRow>(
    {
      name: 'find_life_transfers',
      text: `select t.id, t.movement_id, t.code, t.debit_account_id, t.credit_account_id, t.amount_minor
             from (select distinct * from unnest($3::uuid[], $4::uuid[]) as moment (from_id, below_id)) moment
             cross join lateral (
               select * from ledger_transfers
               where program_id = $1 and id >= moment.from_id and id < moment.below_id
               order by id limit 1000000) t
             where t.movement_id = any ($2::uuid[]) order by t.id`,
    },
    [
      programId,
      column(movementIds),
      column(movementIds.map((id) => lowestIdAt(timeOf(id)))),
      column(movementIds.map((id) => lowestIdAt(timeOf(id) + 1))),
    ],
  );

/** For a larger query: the transfers of a program from one id on and below another, as `t`. Arguments are SQL. */
export const transfersBetween = (program: string, fromId: string, belowId: string): string =>
  `(select id, movement_id, code, debit_account_id, credit_account_id, amount_minor, created_at
    from ledger_transfers where program_id = ${program} and id >= ${fromId} and id < ${belowId}) t`;

/** For a larger query: the balance of an account. Arguments are SQL. */
export const balanceOf = (program: string, account: string): string =>
  `(select balance_minor from ledger_accounts where program_id = ${program} and id = ${account} limit 1)`;

/** For a larger query: the balance of an account at the start of a day. Arguments are SQL. */
export const openingBalanceOf = (program: string, account: string, day: string): string =>
  `coalesce((select balance_minor from ledger_daily_balances
             where program_id = ${program} and account_id = ${account} and day < ${day}
             order by day desc limit 1), 0)`;
