import { bytesColumn, column, unnested } from '../../db/columns.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import type { BatchRow, CardBatch, RowError, Sender } from './batch.ts';

export const BATCH_LIST = { table: 'card_batches' };
export const BATCH_ROW_LIST = { table: 'card_batch_rows' };

export async function countOpenBatches(db: Queryable, programId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    {
      name: 'count_open_card_batches',
      text: 'select count(*)::int as count from card_batches where program_id = $1 and completed_at is null',
    },
    [programId],
  );
  return rows[0]?.count ?? 0;
}

export function insertBatch(tx: Tx, { programId, id, total, createdAt }: CardBatch, sender: Sender): void {
  tx.send(
    {
      name: 'insert_card_batch',
      text: `insert into card_batches (program_id, id, sender, total, created_at) values ($1, $2, $3, $4, $5)`,
    },
    [programId, id, sender, total, createdAt],
  );
}

/** The rows, in the order of their bodies. */
export function insertRows(
  tx: Tx,
  { programId, id }: CardBatch,
  rows: ReadonlyArray<{ id: string; sealed: Buffer }>,
): void {
  tx.send(
    {
      name: 'insert_card_batch_rows',
      text: `insert into card_batch_rows (program_id, batch_id, id, row_index, status, sealed)
             select $1, $2, id, row_index, 'PENDING', sealed
             from (select ${unnested(3, 'uuid integer bytea')}) given (id, row_index, sealed)`,
    },
    [
      ...[programId, id, column(rows.map((row) => row.id)), column(rows.map((_, index) => index))],
      bytesColumn(rows.map(({ sealed }) => sealed)),
    ],
  );
}

/** A batch that is not completed has as many created and failed rows as now. */
const COUNTED = `b.program_id, b.id, b.total, coalesce(b.created, n.created) as created, coalesce(b.failed, n.failed) as failed,
  b.created_at, b.completed_at`;
const ITS_ROWS = `cross join lateral (
  select count(*) filter (where r.status = 'CREATED')::int as created,
         count(*) filter (where r.status = 'FAILED')::int as failed
  from card_batch_rows r where r.program_id = $1 and r.batch_id = b.id and b.completed_at is null) n`;

export async function findBatch(
  db: Queryable,
  programId: string,
  id: string,
): Promise<CardBatch | undefined> {
  const rows = await db.query<CardBatch & Record<string, unknown>>(
    {
      name: 'find_card_batch',
      text: `select ${COUNTED} from card_batches b ${ITS_ROWS} where b.program_id = $1 and b.id = $2`,
    },
    [programId, id],
  );
  return rows[0];
}

/** Newest first. */
export const listBatches = (
  db: Queryable,
  programId: string,
  fromId: string,
  lowestId: string,
  limit: number,
): Promise<CardBatch[]> =>
  db.query<CardBatch & Record<string, unknown>>(
    {
      name: 'list_card_batches',
      text: `select ${COUNTED}
             from (select * from card_batches where program_id = $1 and id <= $2 and id >= $3
                   order by id desc limit $4) b ${ITS_ROWS}
             order by b.id desc`,
    },
    [programId, fromId, lowestId, limit],
  );

export const findRows = (
  db: Queryable,
  programId: string,
  batchId: string,
  ids: readonly string[],
): Promise<BatchRow[]> =>
  db.query<BatchRow & Record<string, unknown>>(
    {
      name: 'find_card_batch_rows',
      text: `select id, row_index, status, card_id, error from card_batch_rows
             where program_id = $1 and batch_id = $2 and id = any ($3::uuid[])`,
    },
    [programId, batchId, column(ids)],
  );

/** In the order of the request. */
export const listFailedRows = (
  db: Queryable,
  programId: string,
  batchId: string,
): Promise<Array<{ rowIndex: number; error: RowError }>> =>
  db.query(
    `select row_index, error from card_batch_rows
     where program_id = $1 and batch_id = $2 and status = 'FAILED' order by id desc`,
    [programId, batchId],
  );

/** A row that waits for its card. */
export interface PendingRow {
  programId: string;
  batchId: string;
  id: string;
  sealed: Buffer;
  sender: Sender;
}

/** Of the oldest batch first, in the order of the request. */
export const listPendingRows = (db: Queryable, programId: string, limit: number): Promise<PendingRow[]> =>
  db.query<PendingRow & Record<string, unknown>>(
    {
      name: 'list_pending_card_batch_rows',
      text: `select r.program_id, r.batch_id, r.id, r.sealed, b.sender
             from (select id, sender from card_batches where program_id = $1 and completed_at is null order by id) b
             cross join lateral (
               select * from card_batch_rows where program_id = $1 and batch_id = b.id and status = 'PENDING'
               order by id desc limit $2) r
             order by r.batch_id, r.id desc limit $2`,
    },
    [programId, limit],
  );

/** What became of a row. */
export type RowEnd = { status: 'CREATED'; cardId: string } | { status: 'FAILED'; error: RowError };

/** Ends a row. False if it has ended before. */
export async function endRow(
  db: Queryable,
  { programId, batchId, id }: PendingRow,
  end: RowEnd,
): Promise<boolean> {
  const [cardId, error] = end.status === 'CREATED' ? [end.cardId, null] : [null, end.error];
  const rows = await db.query(
    {
      name: 'end_card_batch_row',
      text: `update card_batch_rows set status = $4, card_id = $5, error = $6, sealed = null
             where program_id = $1 and batch_id = $2 and id = $3 and status = 'PENDING' returning id`,
    },
    [programId, batchId, id, end.status, cardId, error],
  );
  return rows.length === 1;
}

/** Completes the open batches of a program that have no pending row, and returns them. */
export const completeBatches = (tx: Tx, programId: string, completedAt: Date): Promise<CardBatch[]> =>
  tx.query<CardBatch & Record<string, unknown>>(
    {
      name: 'complete_card_batches',
      text: `update card_batches b set completed_at = $2, created = n.created, failed = b.total - n.created
             from (select o.id, (select count(*)::int from card_batch_rows r
                     where r.program_id = $1 and r.batch_id = o.id and r.status = 'CREATED') as created
                   from card_batches o
                   where o.program_id = $1 and o.completed_at is null
                     and not exists (select from card_batch_rows p
                       where p.program_id = $1 and p.batch_id = o.id and p.status = 'PENDING')) n
             where b.program_id = $1 and b.id = n.id and b.completed_at is null
             returning b.program_id, b.id, b.total, b.created, b.failed, b.created_at, b.completed_at`,
    },
    [programId, completedAt],
  );
