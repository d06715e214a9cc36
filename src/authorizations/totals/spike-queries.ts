import type { Queryable } from '../../db/database.ts';

/** An hour with many declines, and the seven days before it. */
export interface DeclinedHour {
  programId: string;
  startsAt: Date;
  declined: number;
  decided: number;
  declinedBefore: number;
  decidedBefore: number;
}

/** An hour with fewer declines is never a spike. The index of the table has the same number. */
const LEAST_DECLINED = 20;

/**
 * The hours from a time on with many declines, of all programs or of the given one. The number of programs does not count:
 * an index has these hours only.
 */
export const listDeclinedHours = (
  db: Queryable,
  fromMs: number,
  programId?: string,
): Promise<DeclinedHour[]> =>
  db.query(
    {
      name: `list_declined_hours${programId ? '_of_one' : ''}`,
      text: `select h.program_id, h.starts_at, h.declined::float8, (h.approved + h.declined)::float8 as decided,
                    b.declined::float8 as declined_before, b.decided::float8 as decided_before
             from hourly_totals h cross join lateral (
               select coalesce(sum(t.declined), 0) as declined, coalesce(sum(t.approved + t.declined), 0) as decided
               from hourly_totals t
               where t.program_id = ${programId ? '$2' : 'h.program_id'}
                 and t.starts_at >= h.starts_at - interval '168 hours' and t.starts_at < h.starts_at) b
             where ${programId ? 'h.program_id = $2 and' : ''} h.declined >= ${LEAST_DECLINED} and h.starts_at >= $1
             order by h.starts_at`,
    },
    [new Date(fromMs), ...(programId ? [programId] : [])],
  );
