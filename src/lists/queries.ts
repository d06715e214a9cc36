import type { Queryable } from '../db/database.ts';

/** The tables that are lists: primary key (program_id, id), ids in order of creation, rows never deleted. */
export type ListTable = 'cards';

export const MILESTONE_INTERVAL = 500;

/** How many records lie before an id, and how many of them past the last milestone had to be counted. */
export async function countBefore(
  db: Queryable,
  list: ListTable,
  programId: string,
  id: string,
): Promise<{ rank: number; counted: number }> {
  const rows = await db.query<{ ordinal: bigint; counted: bigint }>(
    {
      name: `count_${list}_before`,
      text: `select coalesce(m.ordinal, 0) as ordinal,
                    (select count(*) from ${list} r where r.program_id = $1 and r.id < $2
                       and r.id > coalesce(m.record_id, '00000000-0000-0000-0000-000000000000')) as counted
             from (select) as one left join lateral (
               select ordinal, record_id from list_milestones
               where program_id = $1 and list = '${list}' and record_id < $2
               order by record_id desc limit 1) m on true`,
    },
    [programId, id],
  );
  const { ordinal = 0n, counted = 0n } = rows[0] ?? {};
  return { rank: Number(ordinal + counted), counted: Number(counted) };
}

/** The id of record number `ordinal`, counted from the oldest, which is 1. */
export async function findAtOrdinal(
  db: Queryable,
  list: ListTable,
  programId: string,
  ordinal: number,
): Promise<string | undefined> {
  const rows = await db.query<{ id: string }>(
    {
      name: `find_${list}_at_ordinal`,
      text: `with milestone as (
               select ordinal, record_id from list_milestones
               where program_id = $1 and list = '${list}' and ordinal < $2
               order by ordinal desc limit 1)
             select r.id from ${list} r
             where r.program_id = $1
               and r.id > coalesce((select record_id from milestone), '00000000-0000-0000-0000-000000000000')
             order by r.id
             offset $2 - 1 - coalesce((select ordinal from milestone), 0) limit 1`,
    },
    [programId, ordinal],
  );
  return rows[0]?.id;
}

/** The highest of the `limit` records that follow an id: where the page before it begins. */
export async function findPageStartAfter(
  db: Queryable,
  list: ListTable,
  programId: string,
  id: string,
  below: string,
  limit: number,
): Promise<string | undefined> {
  const rows = await db.query<{ id: string }>(
    {
      name: `find_${list}_page_start`,
      text: `select max(id::text)::uuid as id from (
               select id from ${list} where program_id = $1 and id > $2 and id < $3 order by id limit $4) page`,
    },
    [programId, id, below, limit],
  );
  return rows[0]?.id ?? undefined;
}

/** Adds the milestones between the last one and an id before which nothing new can appear any more. */
export async function insertMilestones(
  db: Queryable,
  list: ListTable,
  programId: string,
  settledBefore: string,
  maxRecords: number,
): Promise<void> {
  await db.query(
    {
      text: `with last as (
               select ordinal, record_id from list_milestones
               where program_id = $1 and list = '${list}' order by ordinal desc limit 1),
             settled as (
               select id, row_number() over (order by id) as place from ${list}
               where program_id = $1 and id < $2
                 and id > coalesce((select record_id from last), '00000000-0000-0000-0000-000000000000')
               order by id limit $3)
             insert into list_milestones (program_id, list, ordinal, record_id)
             select $1, '${list}', coalesce((select ordinal from last), 0) + place, id
             from settled where place % ${MILESTONE_INTERVAL} = 0
             on conflict do nothing`,
    },
    [programId, settledBefore, maxRecords],
  );
}
