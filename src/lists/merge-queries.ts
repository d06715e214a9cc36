import { asParameter } from '../db/bind.ts';
import type { Queryable } from '../db/database.ts';
import { type Filtered, type Look, type Merged, rowsOf } from './filter-queries.ts';

/** Of two hundred equally busy cards, so many rows each contain a page. */
const FEWEST_EACH = 8;
/** Each value costs a search in each partition. With more values, the rows of the list itself are read instead. Ids cost none. */
const MOST_VALUES = 1_000;

export interface Slice {
  /** How many rows were read, and whether there are too many values to read any. */
  read: number;
  isTooWide: boolean;
  /** Of all values, the rows down to this one have been read, including it. Null: all of the range. */
  end: string | null;
}

/** The ids of the first matching rows of several values, merged. */
export const findMerged = (
  db: Queryable,
  list: Filtered,
  merged: Merged,
  look: Look,
  found: number,
): Promise<Slice & { ids: string[] }> =>
  readSlice(
    db,
    list,
    merged,
    look,
    (rows) => `array(select t.id ${rows} limit ${Math.trunc(found)})::text[] as ids`,
  );

/** The number of matching rows of several values, at most `most`. */
export const countMerged = (
  db: Queryable,
  list: Filtered,
  merged: Merged,
  look: Look,
  most: number,
): Promise<Slice & { count: number }> =>
  readSlice(
    db,
    list,
    merged,
    look,
    (rows) => `(select count(*)::int from (select ${rows} limit ${Math.trunc(most)}) found) as count`,
  );

/**
 * Reads the first `look.limit` rows, as many of each value, and cuts them where the rows of one value were not read to
 * their end. The ids come from the index alone; the rows are read in order, until enough match, if they need a check.
 */
async function readSlice<Shown>(
  db: Queryable,
  { table, narrowing }: Filtered,
  { column, values }: Merged,
  look: Look,
  show: (rows: string) => string,
): Promise<Slice & Shown> {
  const sent: unknown[] = [];
  const bind = asParameter(sent);
  const program = bind(look.programId, 'uuid');
  const { oldestFirst, aboveId, belowId } = look;
  const [order, before, reached] = oldestFirst ? ['asc', '<', '<='] : ['desc', '>', '>='];
  const from = bind(oldestFirst ? aboveId : belowId, 'uuid');
  const inRange = `id ${before} ${bind(oldestFirst ? belowId : aboveId, 'uuid')}`;
  const limit = bind(BigInt(look.limit), 'bigint');
  const ids = rowsOf({ table, column, value: 'wanted.value', shown: 'r.id', program, from, oldestFirst });
  const streams =
    column === 'id'
      ? `select value as id, null::bigint as position from given, unnest(keys) as wanted (value)
         where value ${oldestFirst ? '>' : '<'} ${from}`
      : `select r.id, r.position from streams
         cross join lateral unnest(case when cardinality(keys) <= ${MOST_VALUES} then keys end) as wanted (value)
         cross join lateral (
           select id, row_number() over () as position from (${ids} limit (select each from streams)) r) r`;
  const isTooWide = `keys is null ${column === 'id' ? '' : `or cardinality(keys) > ${MOST_VALUES}`}`;
  const seen = `(select id, id as seen_id from merged
      where ${inRange} and id ${reached} coalesce((select id from cut), id) order by id ${order})`;
  const conditions = narrowing(bind, program);
  const rows = `(select seen_id, r.* from ${seen} seen
      cross join lateral (select * from ${table} where program_id = ${program} and id = seen_id offset 0) r)`;
  const matching =
    conditions.length === 0
      ? `from ${seen} t`
      : `from ${rows} t where ${conditions.join(' and ')} order by t.seen_id ${order}`;
  const slices = await db.query<Slice & Shown>(
    `with given as materialized (select ${values(bind, program)} as keys),
     streams as materialized (
       select keys, greatest(${FEWEST_EACH}, ${limit} / greatest(1, cardinality(keys))) as each from given),
     merged as materialized (${streams}),
     cut as materialized (
       select id from merged where position = (select each from streams) and ${inRange} order by id ${order} limit 1)
     select ${show(matching)}, (select count(*)::int from merged) as read, (select id from cut) as end,
            ${isTooWide} as is_too_wide
     from streams`,
    sent,
  );
  return slices[0] as Slice & Shown;
}
