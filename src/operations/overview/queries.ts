import type { Queryable, Tx } from '../../db/database.ts';
import { BLOCK_MS, type Cover, SLICE_MS } from './slice.ts';

const MOST_MERCHANTS = 50;
const SLICE = SLICE_MS / 1_000;
const BLOCK = BLOCK_MS / 1_000;

/** What is counted of a transaction: as it is when its slice is, whatever message comes after that. */
const COUNTED = `
  created_at, decline_reason, merchant_name, bill_amount_minor as bill,
  decline_reason is not null and network_code is not null as declined`;

/**
 * Transactions, counted by slices: the columns of `transaction_slices` but the program. Of a slice's merchants those
 * are kept where most was spent. No joins: the planner does not know how many slices there are, and would have each
 * looked for among all others.
 */
const slicesOf = (transactions: string) => `
  select starts_at, coalesce(sum(count) filter (where not declined), 0)::bigint as approved,
         coalesce(sum(count) filter (where declined), 0)::bigint as declined,
         coalesce(sum(spend) filter (where not declined), 0) as spend_minor,
         coalesce(jsonb_object_agg(reason, count) filter (where declined), '{}') as reasons,
         coalesce(jsonb_agg(jsonb_build_array(merchant, count, spend) order by place)
                    filter (where merchant is not null and place <= ${MOST_MERCHANTS}), '[]') as merchants
  from (
    select *, row_number() over (partition by starts_at, declined order by merchant is null, spend desc, merchant) as place
    from (
      select date_bin('${SLICE_MS} ms', created_at, 'epoch') as starts_at, declined,
             case when declined then decline_reason end as reason,
             case when not declined then merchant_name end as merchant, count(*), sum(bill) as spend
      from (${transactions}) decided group by 1, 2, 3, 4) grouped) ranked
  group by starts_at`;

/** What the reasons and the merchants of slices come to, the most frequent and the largest first. */
const REASONS_OF = (slices: string) => `
  select reason, sum(count::bigint)::bigint as count
  from ${slices} cross join lateral jsonb_each_text(reasons) as entry (reason, count)
  group by reason order by 2 desc, 1`;
const MERCHANTS_OF = (slices: string) => `
  select entry->>0 as name, sum((entry->>1)::bigint)::bigint as count, sum((entry->>2)::numeric) as spend
  from ${slices} cross join lateral jsonb_array_elements(merchants) as entry
  group by 1 order by 3 desc, 1`;

/** Counts the slices between two ids. */
export function insertSlices(tx: Tx, programId: string, fromId: string, belowId: string): void {
  tx.send(
    {
      name: 'insert_transaction_slices',
      text: `insert into transaction_slices
               (program_id, seconds, starts_at, approved, declined, spend_minor, reasons, merchants)
             select $1, ${SLICE}, * from (${slicesOf(`
               select ${COUNTED} from transactions
               where program_id = $1 and kind = 'purchase' and id >= $2 and id < $3`)}) slice`,
    },
    [programId, fromId, belowId],
  );
}

/** Adds up the slices of the blocks between two moments. */
export function insertBlocks(tx: Tx, programId: string, fromMs: number, toMs: number): void {
  tx.send(
    {
      name: 'insert_transaction_blocks',
      text: `insert into transaction_slices
               (program_id, seconds, starts_at, approved, declined, spend_minor, reasons, merchants)
             select $1, ${BLOCK}, block.starts_at, sums.* from (
               select distinct date_bin('${BLOCK_MS} ms', starts_at, 'epoch') as starts_at from transaction_slices
               where program_id = $1 and seconds = ${SLICE} and starts_at >= $2 and starts_at < $3) block
             cross join lateral (
               with slice as (
                 select * from transaction_slices
                 where program_id = $1 and seconds = ${SLICE}
                   and starts_at >= block.starts_at and starts_at < block.starts_at + interval '${BLOCK_MS} ms')
               select sum(approved), sum(declined), sum(spend_minor),
                      coalesce((
                        select jsonb_object_agg(reason, count) from (${REASONS_OF('slice')}) total), '{}'),
                      coalesce((
                        select jsonb_agg(jsonb_build_array(name, count, spend) order by spend desc, name)
                        from (${MERCHANTS_OF('slice')} limit ${MOST_MERCHANTS}) total), '[]')
               from slice) sums`,
    },
    [programId, new Date(fromMs), new Date(toMs)],
  );
}

/** Derived, and never asked for again. */
export function deleteSlicesBefore(tx: Tx, programId: string, ms: number): void {
  tx.send(
    {
      name: 'delete_transaction_slices',
      text: `delete from transaction_slices
             where program_id = $1 and seconds in (${SLICE}, ${BLOCK}) and starts_at < $2`,
    },
    [programId, new Date(ms)],
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
const COLUMNS = 'starts_at, approved, declined, spend_minor, reasons, merchants';

const between = (seconds: number, from: string, to: string) =>
  `select ${COLUMNS} from transaction_slices
   where program_id = $1 and seconds = ${seconds} and starts_at >= ${from} and starts_at < ${to}`;

/** Of four moments, as a cover has them; what is not counted yet is in `tail`. */
const covered = (start: string, blocksStart: string, blocksEnd: string, end: string) =>
  `${between(SLICE, start, blocksStart)}
   union all ${between(BLOCK, blocksStart, blocksEnd)}
   union all ${between(SLICE, blocksEnd, end)}
   union all select ${COLUMNS} from tail where starts_at >= ${start} and starts_at < ${end}`;

/** Points that lie closer than blocks do are made of slices alone. */
const finely = `${between(SLICE, '$2', '$5')}
   union all select ${COLUMNS} from tail where starts_at >= $2 and starts_at < $5`;

const momentsOf = ({ startMs, blocksStartMs, blocksEndMs, endMs }: Cover) =>
  [startMs, blocksStartMs, blocksEndMs, endMs].map((ms) => new Date(ms));

/**
 * Adds up the slices of a window and of the time before it. What is not counted yet, from an id on, is counted here,
 * the newest first and no more than `tailLimit`.
 */
export async function sumWindow(
  db: Queryable,
  programId: string,
  window: { cover: Cover; before: Cover; stepMs: number },
  tail: { fromId: string; limit: number },
  mostMerchants: number,
): Promise<SummedWindow> {
  const coarse = window.stepMs % BLOCK_MS === 0;
  const rows = await db.query<SummedWindow & Record<string, unknown>>(
    {
      name: `sum_transaction_slices_${coarse ? 'by_blocks' : 'by_slices'}`,
      text: `with newest as (
               select kind, ${COUNTED} from transactions
               where program_id = $1 and id >= $10 order by id desc limit $11),
             tail as (${slicesOf("select * from newest where kind = 'purchase'")}),
             own as (${covered('$2', '$3', '$4', '$5')})
             select
               (select coalesce(json_agg(step), '[]') from (
                  select extract(epoch from date_bin($12::float8 * interval '1 ms', starts_at, 'epoch')) * 1000
                           as "startMs", ${SUMS}
                  from ${coarse ? 'own' : `(${finely}) fine`} group by 1) step) as steps,
               (select row_to_json(sums) from (
                  select ${SUMS} from (${covered('$6', '$7', '$8', '$9')}) earlier) sums) as before,
               (select coalesce(json_agg(total), '[]') from (${REASONS_OF('own')}) total) as reasons,
               (select coalesce(json_agg(total), '[]') from (
                  select name, count, spend::text from (${MERCHANTS_OF('own')} limit $13) merchant) total) as merchants,
               (select count(*)::int from newest) as tail`,
    },
    [
      programId,
      ...momentsOf(window.cover),
      ...momentsOf(window.before),
      tail.fromId,
      tail.limit,
      window.stepMs,
      mostMerchants,
    ],
  );
  return rows[0] as SummedWindow;
}
