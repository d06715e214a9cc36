import type { TransactionRecord } from '../../authorizations/rules/transaction.ts';
import {
  fromRow,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from '../../authorizations/transactions/queries.ts';
import type { Queryable } from '../../db/database.ts';

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

/** The newest events of a history. The network can add messages without end; each answer stays small. */
const NEWEST_EVENTS = 500;

/** A transaction with the ids of its first and its newest events, oldest first, and the number of all. */
export async function findTransaction(
  db: Queryable,
  programId: string,
  id: string,
): Promise<{ transaction: TransactionRecord; eventIds: string[]; eventsTotal: number } | undefined> {
  const rows = await db.query<TransactionRow & { eventIds: string[]; eventsTotal: number }>(
    {
      name: 'find_transaction_life',
      text: `select ${TRANSACTION_COLUMNS}, cardinality(t.event_ids) as "eventsTotal",
                    (t.event_ids[1:1] || t.event_ids[greatest(2, cardinality(t.event_ids) - ${NEWEST_EVENTS - 1}):])::text[]
                      as "eventIds"
             from transactions t where t.program_id = $1 and t.id = $2`,
    },
    [programId, id],
  );
  if (!rows[0]) return undefined;
  const { eventIds, eventsTotal, ...row } = rows[0];
  return { transaction: fromRow(row), eventIds, eventsTotal };
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

/** What was refunded of a purchase, less what was taken back. */
export async function sumRefunds(db: Queryable, programId: string, parentId: string): Promise<bigint> {
  const rows = await db.query<{ sum: string }>(
    {
      name: 'sum_refunds',
      text: `select coalesce(sum(cleared_minor), 0)::text as sum from transactions
             where program_id = $1 and parent_id = $2 and parent_id is not null and id > $2`,
    },
    [programId, parentId],
  );
  return BigInt(rows[0]?.sum ?? '0');
}
