import type { TransactionRecord } from '../../authorizations/rules/transaction.ts';
import {
  fromRow,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from '../../authorizations/transactions/queries.ts';
import { column } from '../../db/columns.ts';
import type { Queryable } from '../../db/database.ts';

/** The last four digits of credentials, by their ids. */
export async function findLastFours(
  db: Queryable,
  programId: string,
  credentialIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; lastFour: string }>(
    {
      name: 'find_last_fours',
      text: `select c.id, c.last_four as "lastFour" from unnest($2::uuid[]) as wanted (id)
             cross join lateral (
               select * from credentials where program_id = $1 and id = wanted.id limit 1) c`,
    },
    [programId, column(credentialIds)],
  );
  return new Map(rows.map(({ id, lastFour }) => [id, lastFour]));
}

/** A card's transactions below an id, newest first. */
export async function listCardTransactionsBelow(
  db: Queryable,
  programId: string,
  cardId: string,
  belowId: string,
  limit: number,
): Promise<TransactionRecord[]> {
  const rows = await db.query<TransactionRow>(
    {
      name: 'list_card_transactions_below',
      text: `select ${TRANSACTION_COLUMNS} from transactions t
             where t.program_id = $1 and t.card_id = $2 and t.id < $3 order by t.id desc limit $4`,
    },
    [programId, cardId, belowId, limit],
  );
  return rows.map(fromRow);
}

/** A range of a program's transactions, newest first: from `lowestId` on and below `belowId`, at most `limit`. */
export interface Look {
  programId: string;
  belowId: string;
  lowestId: string;
  limit: number;
}

/**
 * The lower end is compared after the read. For a range with two ends PostgreSQL estimates very few rows, reads all of
 * a small table and sorts it.
 */
const LOOKED_AT = `select * from (
  select * from transactions where program_id = $1 and id < $2 order by id desc limit $4) newest where id >= $3`;

/** The conditions on a transaction. Null: any value. */
export interface Filters {
  status: string | null;
  channel: string | null;
  declineReason: string | null;
  merchant: string | null;
  mcc: string | null;
  currency: string | null;
  minBillMinor: bigint | null;
  maxBillMinor: bigint | null;
}

/** The amount as the lists show it, refunds without their sign. */
const SHOWN_BILL = `case when t.status = 'CLEARED' and t.cleared_currency is not null
                         then t.cleared_minor else t.bill_amount_minor end`;

/** The newest matching transactions of the range. Stops when it has found enough. */
export async function filterTransactions(
  db: Queryable,
  look: Look,
  filters: Filters,
  found: number,
): Promise<TransactionRecord[]> {
  const rows = await db.query<TransactionRow>(
    {
      name: 'filter_transactions',
      text: `select ${TRANSACTION_COLUMNS} from (${LOOKED_AT}) t
             where ($5::text is null or t.status = $5)
               and ($6::text is null or t.channel = $6)
               and ($7::text is null or (t.decline_reason = $7 and t.network_code is not null))
               and ($8::text is null or t.merchant_id = $8 or strpos(lower(t.merchant_name), lower($8)) > 0)
               and ($9::text is null or t.merchant_mcc = $9)
               and ($10::text is null
                    or case when t.status = 'CLEARED' then coalesce(t.cleared_currency, t.currency)
                            else t.currency end = $10)
               and ($11::bigint is null or ${SHOWN_BILL} >= $11)
               and ($12::bigint is null or ${SHOWN_BILL} <= $12)
             order by t.id desc limit $13`,
    },
    [
      look.programId,
      look.belowId,
      look.lowestId,
      look.limit,
      filters.status,
      filters.channel,
      filters.declineReason,
      filters.merchant,
      filters.mcc,
      filters.currency,
      filters.minBillMinor,
      filters.maxBillMinor,
      found,
    ],
  );
  return rows.map(fromRow);
}

/** The last id of a range that was cut by its limit. Undefined if the range was read to its end. */
export async function findLookEnd(db: Queryable, look: Look): Promise<string | undefined> {
  const rows = await db.query<{ id: string }>(
    {
      name: 'find_look_end',
      text: `select id from (
               select id from transactions where program_id = $1 and id < $2
               order by id desc offset $4::int - 1 limit 1) last where id >= $3`,
    },
    [look.programId, look.belowId, look.lowestId, look.limit],
  );
  return rows[0]?.id;
}

/** A transaction with the ids of its events. */
export async function findTransaction(
  db: Queryable,
  programId: string,
  id: string,
): Promise<{ transaction: TransactionRecord; eventIds: string[] } | undefined> {
  const rows = await db.query<TransactionRow & { eventIds: string[] }>(
    {
      name: 'find_transaction_life',
      text: `select ${TRANSACTION_COLUMNS}, t.event_ids::text[] as "eventIds" from transactions t
             where t.program_id = $1 and t.id = $2`,
    },
    [programId, id],
  );
  if (!rows[0]) return undefined;
  const { eventIds, ...row } = rows[0];
  return { transaction: fromRow(row), eventIds };
}

/** The refunds of a purchase, oldest first. */
export async function listRefunds(
  db: Queryable,
  programId: string,
  parentId: string,
  limit: number,
): Promise<TransactionRecord[]> {
  const rows = await db.query<TransactionRow>(
    {
      name: 'list_refunds',
      text: `select ${TRANSACTION_COLUMNS} from transactions t
             where t.program_id = $1 and t.parent_id = $2 and t.parent_id is not null
               -- A refund is younger than its purchase, so older months are not read.
               and t.id > $2
             order by t.id limit $3`,
    },
    [programId, parentId, limit],
  );
  return rows.map(fromRow);
}

export interface LifeEventRow {
  id: string;
  name: string;
  data: Record<string, string | null>;
  createdAt: Date;
}

export const findEvents = (
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<LifeEventRow[]> =>
  db.query<LifeEventRow>(
    {
      name: 'find_life_events',
      text: `select id, event_name as name, data, created_at as "createdAt" from events
             where program_id = $1 and id = any ($2::uuid[])`,
    },
    [programId, column(ids)],
  );

export interface LifeTransferRow {
  id: string;
  movementId: string;
  code: string;
  debitAccountId: string;
  creditAccountId: string;
  amountMinor: bigint;
}

/**
 * The transfers of movements. Each movement has the bounds of its transfers' ids: transfers are created in the same
 * millisecond as their movement, and an index by movement would slow every authorization.
 */
export const findTransfers = (
  db: Queryable,
  programId: string,
  movements: ReadonlyArray<{ id: string; fromId: string; belowId: string }>,
): Promise<LifeTransferRow[]> =>
  db.query<LifeTransferRow>(
    {
      name: 'find_life_transfers',
      text: `select t.id, t.movement_id as "movementId", t.code, t.debit_account_id as "debitAccountId",
                    t.credit_account_id as "creditAccountId", t.amount_minor as "amountMinor"
             from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as movement (id, from_id, below_id)
             cross join lateral (
               select * from ledger_transfers
               where program_id = $1 and id >= movement.from_id and id < movement.below_id
               order by id limit 1000000) t
             where t.movement_id = movement.id order by t.id`,
    },
    [
      programId,
      column(movements.map(({ id }) => id)),
      column(movements.map(({ fromId }) => fromId)),
      column(movements.map(({ belowId }) => belowId)),
    ],
  );
