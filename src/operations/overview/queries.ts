import type { Queryable, Tx } from '../../db/database.ts';
import { SLICE_MS } from './slice.ts';

const MOST_MERCHANTS = 50;

/** What is counted of a transaction; later messages leave it as it is. */
const COUNTED = `
  created_at, decline_reason, merchant_name, bill_amount_minor as bill,
  decline_reason is not null and network_code is not null as declined`;

/**
 * Transactions, counted by slices: the columns of `transaction_slices` but the program. Of a slice's merchants those
 * are kept where most was spent.
 */
const slicesOf = (transactions: string) => `
  with decided as (
    select date_bin('${SLICE_MS} ms', t.created_at, 'epoch') as starts_at, t.* from (${transactions}) t),
  counts as (
    select starts_at, count(*) filter (where not declined) as approved, count(*) filter (where declined) as declined,
           coalesce(sum(bill) filter (where not declined), 0) as spend_minor
    from decided group by starts_at),
  reasons as (
    select starts_at, jsonb_object_agg(decline_reason, count) as reasons
    from (select starts_at, decline_reason, count(*) from decided where declined group by 1, 2) reason
    group by starts_at),
  merchants as (
    select starts_at, jsonb_agg(jsonb_build_array(merchant_name, count, spend) order by place) as merchants
    from (
      select starts_at, merchant_name, count(*), sum(bill) as spend,
             row_number() over (partition by starts_at order by sum(bill) desc, merchant_name) as place
      from decided where not declined and merchant_name is not null group by 1, 2) merchant
    where place <= ${MOST_MERCHANTS} group by starts_at)
  select c.starts_at, c.approved, c.declined, c.spend_minor, coalesce(r.reasons, '{}') as reasons,
         coalesce(m.merchants, '[]') as merchants
  from counts c left join reasons r using (starts_at) left join merchants m using (starts_at)`;

/** Counts the slices between two ids. */
export function insertSlices(tx: Tx, programId: string, fromId: string, belowId: string): void {
  tx.send(
    {
      name: 'insert_transaction_slices',
      text: `insert into transaction_slices
               (program_id, starts_at, approved, declined, spend_minor, reasons, merchants)
             select $1, * from (${slicesOf(`
               select ${COUNTED} from transactions
               where program_id = $1 and kind = 'purchase' and id >= $2 and id < $3`)}) slice`,
    },
    [programId, fromId, belowId],
  );
}

/** Derived, and never asked for again. */
export function deleteSlicesBefore(tx: Tx, programId: string, ms: number): void {
  tx.send(
    {
      name: 'delete_transaction_slices',
      text: 'delete from transaction_slices where program_id = $1 and starts_at < $2',
    },
    [programId, new Date(ms)],
  );
}

/** Everything before it is counted, in milliseconds; undefined before the first count. */
export async function findSliceWalk(db: Queryable, programId: string): Promise<number | undefined> {
  const rows = await db.query<{ walkedTo: Date }>(
    {
      name: 'find_slice_walk',
      text: 'select walked_to as "walkedTo" from slice_walks where program_id = $1',
    },
    [programId],
  );
  return rows[0]?.walkedTo.getTime();
}

export function insertSliceWalk(tx: Tx, programId: string, walkedToMs: number): void {
  tx.send(
    {
      name: 'insert_slice_walk',
      text: 'insert into slice_walks (program_id, walked_to) values ($1, $2) on conflict (program_id) do nothing',
    },
    [programId, new Date(walkedToMs)],
  );
}

/** Undefined while somebody else has it. */
export async function lockSliceWalk(tx: Tx, programId: string): Promise<number | undefined> {
  const rows = await tx.query<{ walkedTo: Date }>(
    {
      name: 'lock_slice_walk',
      text: `select walked_to as "walkedTo" from slice_walks where program_id = $1 for update skip locked`,
    },
    [programId],
  );
  return rows[0]?.walkedTo.getTime();
}

export function updateSliceWalk(tx: Tx, programId: string, walkedToMs: number): void {
  tx.send(
    {
      name: 'update_slice_walk',
      text: 'update slice_walks set walked_to = $2 where program_id = $1',
    },
    [programId, new Date(walkedToMs)],
  );
}

/** The transaction that comes so many after the first one from an id on. */
export async function findTransactionFrom(
  db: Queryable,
  programId: string,
  fromId: string,
  places: number,
): Promise<string | undefined> {
  const rows = await db.query<{ id: string }>(
    {
      name: 'find_transaction_from',
      text: `select id from transactions where program_id = $1 and id >= $2 order by id offset $3::int limit 1`,
    },
    [programId, fromId, places],
  );
  return rows[0]?.id;
}

export interface Sums {
  approved: number;
  declined: number;
  /** Minor units as text: sums may be larger than a JSON number holds. */
  spend: string;
}

export interface SummedWindow {
  /** By steps; those in which nothing was decided are left out. */
  steps: Array<Sums & { startMs: number }>;
  before: Sums;
  reasons: Array<{ reason: string; count: number }>;
  merchants: Array<{ name: string; count: number; spend: string }>;
  /** How many transactions of the tail were read. */
  tail: number;
}

const SUMS = `coalesce(sum(approved), 0) as approved, coalesce(sum(declined), 0) as declined,
              coalesce(sum(spend_minor), 0)::text as spend`;

/**
 * Adds up the slices of a window and of the time before it. What is not counted yet, from an id on, is counted here,
 * the newest first and no more than `tailLimit`.
 */
export async function sumWindow(
  db: Queryable,
  programId: string,
  window: { startMs: number; endMs: number; stepMs: number; before: { startMs: number; endMs: number } },
  tail: { fromId: string; limit: number },
  mostMerchants: number,
): Promise<SummedWindow> {
  const rows = await db.query<SummedWindow & Record<string, unknown>>(
    {
      name: 'sum_transaction_slices',
      text: `with newest as materialized (
               select kind, ${COUNTED} from transactions
               where program_id = $1 and id >= $6 order by id desc limit $7),
             tail as materialized (${slicesOf("select * from newest where kind = 'purchase'")}),
             own as materialized (
               select starts_at, approved, declined, spend_minor, reasons, merchants from transaction_slices
               where program_id = $1 and starts_at >= $2 and starts_at < $3
               union all
               select * from tail where starts_at >= $2 and starts_at < $3)
             select
               (select coalesce(json_agg(step), '[]') from (
                  select extract(epoch from date_bin($8::float8 * interval '1 ms', starts_at, 'epoch')) * 1000
                           as "startMs", ${SUMS}
                  from own group by 1) step) as steps,
               (select row_to_json(sums) from (
                  select ${SUMS} from (
                    select approved, declined, spend_minor from transaction_slices
                    where program_id = $1 and starts_at >= $4 and starts_at < $5
                    union all
                    select approved, declined, spend_minor from tail
                    where starts_at >= $4 and starts_at < $5) earlier) sums) as before,
               (select coalesce(json_agg(total), '[]') from (
                  select reason, sum(count::bigint) as count
                  from own cross join lateral jsonb_each_text(reasons) as entry (reason, count)
                  group by reason order by count desc, reason) total) as reasons,
               (select coalesce(json_agg(total), '[]') from (
                  select entry->>0 as name, sum((entry->>1)::bigint) as count, sum((entry->>2)::numeric)::text as spend
                  from own cross join lateral jsonb_array_elements(merchants) as entry
                  group by 1 order by sum((entry->>2)::numeric) desc, name limit $9) total) as merchants,
               (select count(*)::int from newest) as tail`,
    },
    [
      programId,
      new Date(window.startMs),
      new Date(window.endMs),
      new Date(window.before.startMs),
      new Date(window.before.endMs),
      tail.fromId,
      tail.limit,
      window.stepMs,
      mostMerchants,
    ],
  );
  return rows[0] as SummedWindow;
}
