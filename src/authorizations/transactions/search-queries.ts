import { REFUND_BEFORE_DAYS } from '../../authorizations/core/apply-refund.ts';
import type { TransactionRecord } from '../../authorizations/core/transaction.ts';
import {
  fromRow,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from '../../authorizations/transactions/queries.ts';
import { column } from '../../db/columns.ts';
import type { Queryable } from '../../db/database.ts';
import { MS_PER_DAY } from '../../kernel/calendar.ts';
import { lowestIdAt, timeOf } from '../../kernel/ids.ts';

/** The transactions of cards below an id, newest first. */
export async function listCardTransactionsBelow(
  db: Queryable,
  programId: string,
  cardIds: readonly string[],
  belowId: string,
  limit: number,
): Promise<TransactionRecord[]> {
  const rows = await db.query<TransactionRow>(
    {
      name: 'list_card_transactions_below',
      text: `select ${TRANSACTION_COLUMNS} from unnest($2::uuid[]) as wanted (card_id)
             cross join lateral (
               select * from transactions
               where program_id = $1 and card_id = wanted.card_id and id < $3 order by id desc limit $4) t
             order by t.id desc limit $4`,
    },
    [programId, column(cardIds), belowId, limit],
  );
  return rows.map(fromRow);
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
      text: `select ${TRANSACTION_COLUMNS}, cardinality(t.event_ids) as events_total,
                    (t.event_ids[1:1] || t.event_ids[greatest(2, cardinality(t.event_ids) - ${NEWEST_EVENTS - 1}):])::text[]
                      as event_ids
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
               -- Months in which no refund can be are not read.
               and t.id > $4
             order by t.id limit $3`,
    },
    [programId, parentId, limit, firstRefundId(parentId)],
  );
  return rows.map(fromRow);
}

/** A refund may come before its purchase, but not long before. */
const firstRefundId = (parentId: string): string =>
  lowestIdAt(timeOf(parentId) - REFUND_BEFORE_DAYS * MS_PER_DAY);

/** What was refunded of a purchase, less what was taken back. */
export async function sumRefunds(db: Queryable, programId: string, parentId: string): Promise<bigint> {
  const rows = await db.query<{ sum: string }>(
    {
      name: 'sum_refunds',
      text: `select coalesce(sum(cleared_minor), 0)::text as sum from transactions
             where program_id = $1 and parent_id = $2 and parent_id is not null and id > $3`,
    },
    [programId, parentId, firstRefundId(parentId)],
  );
  return BigInt(rows[0]?.sum ?? '0');
}
