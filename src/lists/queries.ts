import type { Queryable } from '../db/database.ts';
import { LOWEST_ID } from '../kernel/ids.ts';

/**
 * A list of a program's rows, or of the rows of one card. The table has the primary key (program_id, id), its ids are
 * in order of creation, and its rows are never deleted. Lists of one card need an index (program_id, card_id, id).
 */
export interface List {
  table: string;
  cardId?: string;
}

/** The name under which the milestones of a list are stored. */
export const nameOf = ({ table, cardId }: List): string => (cardId ? `${table}/${cardId}` : table);

/** The condition for rows of the list; $1 is the program, $2 the card or null. */
const within = ({ cardId }: List): string =>
  cardId ? 'r.program_id = $1 and r.card_id = $2' : 'r.program_id = $1 and $2::uuid is null';

/** PostgreSQL keeps one plan per name. All lists of single cards in a table share one. */
const planName = (what: string, { table, cardId }: List): string =>
  `${what}_${cardId ? 'card_' : ''}${table}`;

export const MILESTONE_INTERVAL = 500;

export interface Rank {
  /** Number of records before an id. */
  rank: number;
  /** Number of these records that had to be counted, after the last milestone. */
  counted: number;
}

export async function countBefore(db: Queryable, list: List, programId: string, id: string): Promise<Rank> {
  const rows = await db.query<{ ordinal: bigint; counted: bigint }>(
    {
      name: planName('count_before', list),
      text: `select coalesce(m.ordinal, 0) as ordinal,
                    (select count(*) from ${list.table} r where ${within(list)} and r.id < $4
                       and r.id > coalesce(m.record_id, '${LOWEST_ID}')) as counted
             from (select) as one left join lateral (
               select ordinal, record_id from list_milestones
               where program_id = $1 and list = $3 and record_id < $4
               order by record_id desc limit 1) m on true`,
    },
    [programId, list.cardId ?? null, nameOf(list), id],
  );
  const { ordinal = 0n, counted = 0n } = rows[0] ?? {};
  return { rank: Number(ordinal + counted), counted: Number(counted) };
}

/** The id of record number `ordinal`, counted from the oldest, which is 1. */
export async function findAtOrdinal(
  db: Queryable,
  list: List,
  programId: string,
  ordinal: number,
): Promise<string | undefined> {
  const rows = await db.query<{ id: string }>(
    {
      name: planName('find_at_ordinal', list),
      text: `with milestone as (
               select ordinal, record_id from list_milestones
               where program_id = $1 and list = $3 and ordinal < $4
               order by ordinal desc limit 1)
             select r.id from ${list.table} r
             where ${within(list)} and r.id > coalesce((select record_id from milestone), '${LOWEST_ID}')
             order by r.id
             offset $4 - 1 - coalesce((select ordinal from milestone), 0) limit 1`,
    },
    [programId, list.cardId ?? null, nameOf(list), ordinal],
  );
  return rows[0]?.id;
}

/** The highest of the `limit` records that follow an id: the start of the page before it. */
export async function findPageStartAfter(
  db: Queryable,
  list: List,
  programId: string,
  id: string,
  below: string,
  limit: number,
): Promise<string | undefined> {
  const rows = await db.query<{ id: string }>(
    {
      name: planName('find_page_start', list),
      text: `select max(id::text)::uuid as id from (
               select r.id from ${list.table} r
               where ${within(list)} and r.id > $3 order by r.id limit $5) page
             where id < $4`,
    },
    [programId, list.cardId ?? null, id, below, limit],
  );
  return rows[0]?.id ?? undefined;
}

/** Adds the milestones between the last one and `settledBefore`. No new record can appear below that id. */
export async function insertMilestones(
  db: Queryable,
  list: List,
  programId: string,
  settledBefore: string,
  maxRecords: number,
): Promise<void> {
  await db.query(
    `with last as (
       select ordinal, record_id from list_milestones
       where program_id = $1 and list = $3 order by ordinal desc limit 1),
     settled as (
       select r.id, row_number() over (order by r.id) as position from ${list.table} r
       where ${within(list)} and r.id < $4
         and r.id > coalesce((select record_id from last), '${LOWEST_ID}')
       order by r.id limit $5)
     insert into list_milestones (program_id, list, ordinal, record_id)
     select $1, $3, coalesce((select ordinal from last), 0) + position, id
     from settled where position % ${MILESTONE_INTERVAL} = 0
     on conflict do nothing`,
    [programId, list.cardId ?? null, nameOf(list), settledBefore, maxRecords],
  );
}
