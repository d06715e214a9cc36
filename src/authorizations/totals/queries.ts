import type { Queryable, Tx } from '../../db/database.ts';

export const HOUR_MS = 3_600_000;

interface Period {
  startMs: number;
  endMs: number;
}

/** A period, an earlier one for comparison, the whole days to sum, and the step of the sums, in whole hours. */
export interface Window extends Period {
  stepMs: number;
  before: Period;
  days: Period;
}

const MOST_MERCHANTS = 50;

/**
 * The counted columns, as they are when a transaction is counted: up to some minutes after it was created. An increment,
 * or an authorization after its clearing, can change them later. The totals do not follow: they are for charts, and a
 * correction would make every increment wait for the worker that counts.
 */
const COUNTED = `
  created_at, decline_reason, merchant_name, bill_amount_minor as bill,
  decline_reason is not null as declined`;

/** Sum the decline reasons and the merchants of hours, the most frequent reasons and the largest spend first. */
const reasonsOf = (hours: string) => `
  select reason, sum(count::bigint)::bigint as count
  from ${hours} cross join lateral jsonb_each_text(reasons) as entry (reason, count)
  group by reason order by 2 desc, 1`;
const merchantsOf = (hours: string) => `
  select entry->>0 as name, sum((entry->>1)::bigint)::bigint as count, sum((entry->>2)::numeric) as spend
  from ${hours} cross join lateral jsonb_array_elements(merchants) as entry
  group by 1 order by 3 desc, 1`;

const COLUMNS = 'starts_at, approved, declined, spend_minor, reasons, merchants';

/**
 * Counts transactions by the hour, with the columns of `hourly_totals` except the program. It uses no joins, because
 * the planner cannot estimate the number of hours.
 */
const hoursOf = (transactions: string) => `
  select starts_at, coalesce(sum(count) filter (where not declined), 0)::bigint as approved,
         coalesce(sum(count) filter (where declined), 0)::bigint as declined,
         coalesce(sum(spend) filter (where not declined), 0) as spend_minor,
         coalesce(jsonb_object_agg(reason, count) filter (where declined), '{}') as reasons,
         coalesce(jsonb_agg(jsonb_build_array(merchant, count, spend) order by rank)
                    filter (where merchant is not null and rank <= ${MOST_MERCHANTS}), '[]') as merchants
  from (
    select *, row_number() over (partition by starts_at, declined order by merchant is null, spend desc, merchant) as rank
    from (
      select date_bin('${HOUR_MS} ms', created_at, 'epoch') as starts_at, declined,
             case when declined then decline_reason end as reason,
             case when not declined then merchant_name end as merchant, count(*), sum(bill) as spend
      from (${transactions}) decided group by 1, 2, 3, 4) grouped) ranked
  group by starts_at`;

/**
 * Adds the transactions between two ids to the totals of their hours, whose counting the caller has locked. For each hour,
 * only the merchants with the largest spend are stored.
 */
export function addToHourlyTotals(tx: Tx, programId: string, fromId: string, belowId: string): void {
  const both = (column: string) => `(values (t.${column}), (hour.${column})) part (${column})`;
  const sum = (column: string) => `coalesce(t.${column}, 0) + hour.${column}`;
  tx.send(
    {
      name: 'add_to_hourly_totals',
      text: `insert into hourly_totals (program_id, ${COLUMNS})
             select $1, hour.starts_at, ${['approved', 'declined', 'spend_minor'].map(sum).join(', ')},
                    coalesce((
                      select jsonb_object_agg(reason, count) from (${reasonsOf(both('reasons'))}) total), '{}'),
                    coalesce((
                      select jsonb_agg(jsonb_build_array(name, count, spend) order by spend desc, name)
                      from (${merchantsOf(both('merchants'))} limit ${MOST_MERCHANTS}) total), '[]')
             from (${hoursOf(`
               select ${COUNTED} from transactions
               where program_id = $1 and kind = 'purchase' and id >= $2 and id < $3`)}) hour
             left join hourly_totals t on t.program_id = $1 and t.starts_at = hour.starts_at
             on conflict (program_id, starts_at) do update
             set ${COLUMNS.split(', ')
               .slice(1)
               .map((column) => `${column} = excluded.${column}`)
               .join(', ')}`,
    },
    [programId, fromId, belowId],
  );
}

/** Deletes totals that no window shows any more. */
export function deleteHourlyTotalsBefore(tx: Tx, programId: string, ms: number): void {
  tx.send(
    {
      name: 'delete_hourly_totals',
      text: 'delete from hourly_totals where program_id = $1 and starts_at < $2',
    },
    [programId, new Date(ms)],
  );
}

export interface Sums {
  approved: number;
  declined: number;
  /** Minor units as text, because sums may exceed the range of a JSON number. */
  spend: string;
}

export interface SummedWindow {
  /** Steps without a decision are left out. */
  steps: Array<Sums & { startMs: number }>;
  before: Sums;
  /** Whether something was decided earlier than the period for comparison, so that it is compared as a whole. */
  comparable: boolean;
  /** Days without a decision are left out. */
  days: Array<Sums & { startMs: number }>;
  reasons: Array<{ reason: string; count: number }>;
  merchants: Array<{ name: string; count: number; spend: string }>;
  /** The number of transactions read from the tail. */
  tail: number;
}

const SUMS = `coalesce(sum(approved), 0) as approved, coalesce(sum(declined), 0) as declined,
              coalesce(sum(spend_minor), 0)::text as spend`;

const stepsOf = (hours: string, stepMs: string): string => `
  (select coalesce(json_agg(step), '[]') from (
     select extract(epoch from date_bin(${stepMs} * interval '1 ms', starts_at, 'epoch')) * 1000 as "startMs", ${SUMS}
     from ${hours} group by 1) step)`;

/**
 * Sums the hours of a window, of the period before it and of whole days. The tail, which the totals do not include yet, is counted
 * here from an id on: the newest transactions first, at most `limit`.
 */
export async function sumWindow(
  db: Queryable,
  programId: string,
  { startMs, endMs, before, days, stepMs }: Window,
  tail: { fromId: string; limit: number },
  mostMerchants: number,
): Promise<SummedWindow> {
  const between = (from: string, to: string) => `
    select ${COLUMNS} from hourly_totals where program_id = $1 and starts_at >= ${from} and starts_at < ${to}
    union all select ${COLUMNS} from tail where starts_at >= ${from} and starts_at < ${to}`;
  const rows = await db.query<SummedWindow & Record<string, unknown>>(
    {
      name: 'sum_hourly_totals',
      text: `with newest as (
               select kind, ${COUNTED} from transactions
               where program_id = $1 and id >= $6 order by id desc limit $7),
             tail as (${hoursOf("select * from newest where kind = 'purchase'")}),
             own as (${between('$2', '$3')})
             select
               ${stepsOf('own', '$8::float8')} as steps,
               ${stepsOf(`(${between('$10', '$11')}) earlier`, '86400000')} as days,
               exists (select from hourly_totals where program_id = $1 and starts_at < $4) as comparable,
               (select row_to_json(sums) from (select ${SUMS} from (${between('$4', '$5')}) earlier) sums) as before,
               (select coalesce(json_agg(total), '[]') from (${reasonsOf('own')}) total) as reasons,
               (select coalesce(json_agg(total), '[]') from (
                  select name, count, spend::text from (${merchantsOf('own')} limit $9) merchant) total) as merchants,
               (select count(*)::int from newest) as tail`,
    },
    [
      programId,
      ...[startMs, endMs, before.startMs, before.endMs].map((ms) => new Date(ms)),
      tail.fromId,
      tail.limit,
      stepMs,
      mostMerchants,
      ...[days.startMs, days.endMs].map((ms) => new Date(ms)),
    ],
  );
  return rows[0] as SummedWindow;
}

/** Approved purchases: of whole hours from the totals, and those between two ids and from a third id on. */
export async function sumApproved(
  db: Queryable,
  programId: string,
  hoursFromMs: number,
  [fromId, belowId]: readonly [string, string],
  tailId: string,
): Promise<number> {
  const counted = (range: string) => `(select count(*) from transactions
      where program_id = $1 and ${range} and kind = 'purchase' and decline_reason is null)`;
  const rows = await db.query<{ approved: bigint }>(
    {
      name: 'sum_approved',
      text: `select (coalesce((select sum(approved) from hourly_totals where program_id = $1 and starts_at >= $2), 0)
                     + ${counted('id >= $3 and id < $4')} + ${counted('id >= $5')})::bigint as approved`,
    },
    [programId, new Date(hoursFromMs), fromId, belowId, tailId],
  );
  return Number(rows[0]?.approved ?? 0n);
}
