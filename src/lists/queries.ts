import type { Queryable, Tx } from '../db/database.ts';
import { LOWEST_ID } from '../kernel/ids.ts';

/**
 * A list: a table with the primary key (program_id, id), ids in order of creation, rows never deleted; the whole of a
 * program, or what belongs to one card, for which the table has an index (program_id, card_id, id). Only the oldest
 * transactions may move out, all of a time at once; the others keep their numbers.
 */
export interface List {
  table: 'cards' | 'transactions' | 'events';
  cardId?: string;
}

/** What its milestones are kept under. */
export const nameOf = ({ table, cardId }: List): string => (cardId ? `${table}/${cardId}` : table);

/** Which rows of the table are in the list; $1 is the program, $2 the card or null. */
const within = ({ cardId }: List): string =>
  cardId ? 'r.program_id = $1 and r.card_id = $2' : 'r.program_id = $1 and $2::uuid is null';

/** A plan is kept per name: lists of one card share theirs. */
const planName = (what: string, { table, cardId }: List): string =>
  `${what}_${cardId ? 'card_' : ''}${table}`;

export const MILESTONE_INTERVAL = 500;

/** The number of the last record that has moved out, which is a milestone (see `markMoveOut`). */
const movedOut = ({ table }: List): string =>
  table === 'transactions'
    ? `coalesce((
         select l.ordinal from moved_out_transactions o cross join lateral (
           select ordinal from list_milestones
           where program_id = $1 and list = $3 and record_id < o.below_id order by record_id desc limit 1) l), 0)`
    : '0::bigint';

export interface Rank {
  /** How many records lie, or lay, before an id. */
  rank: number;
  /** How many of them, past the last milestone, had to be counted. */
  counted: number;
  /** How many of all have moved out. */
  movedOut: number;
}

export async function countBefore(db: Queryable, list: List, programId: string, id: string): Promise<Rank> {
  const rows = await db.query<{ ordinal: bigint; counted: bigint; movedOut: bigint }>(
    {
      name: planName('count_before', list),
      text: `select coalesce(m.ordinal, 0) as ordinal,
                    (select count(*) from ${list.table} r where ${within(list)} and r.id < $4
                       and r.id > coalesce(m.record_id, '${LOWEST_ID}')) as counted,
                    ${movedOut(list)} as "movedOut"
             from (select) as one left join lateral (
               select ordinal, record_id from list_milestones
               where program_id = $1 and list = $3 and record_id < $4
               order by record_id desc limit 1) m on true`,
    },
    [programId, list.cardId ?? null, nameOf(list), id],
  );
  const { ordinal = 0n, counted = 0n, movedOut: gone = 0n } = rows[0] ?? {};
  return { rank: Number(ordinal + counted), counted: Number(counted), movedOut: Number(gone) };
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

/** The highest of the `limit` records that follow an id: where the page before it begins. */
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

/** Adds the milestones between the last one and an id before which nothing new can appear any more. */
export async function insertMilestones(
  db: Queryable,
  list: List,
  programId: string,
  settledBefore: string,
  maxRecords: number,
): Promise<void> {
  await db.query(
    {
      text: `with last as (
               select ordinal, record_id from list_milestones
               where program_id = $1 and list = $3 order by ordinal desc limit 1),
             settled as (
               select r.id, row_number() over (order by r.id) as place from ${list.table} r
               where ${within(list)} and r.id < $4
                 and r.id > coalesce((select record_id from last), '${LOWEST_ID}')
               order by r.id limit $5)
             insert into list_milestones (program_id, list, ordinal, record_id)
             select $1, $3, coalesce((select ordinal from last), 0) + place, id
             from settled where place % ${MILESTONE_INTERVAL} = 0
             on conflict do nothing`,
    },
    [programId, list.cardId ?? null, nameOf(list), settledBefore, maxRecords],
  );
}

/**
 * Makes the last transaction before an id a milestone of each list that has some, so that what follows keeps its number
 * when what lies before moves out. A list without milestones is counted from its first record, whichever that is.
 */
export function markMoveOut(tx: Tx, belowId: string): void {
  for (const [lists, rows] of [
    ["list = 'transactions'", 'true'],
    ["list like 'transactions/%'", 'r.card_id = substr(known.list, 14)::uuid'],
  ])
    tx.send(
      {
        text: `insert into list_milestones (program_id, list, ordinal, record_id)
               select known.program_id, known.list, last.ordinal + rest.count, rest.record_id
               from (select distinct program_id, list from list_milestones where ${lists}) known
               cross join lateral (
                 select coalesce(max(m.ordinal), 0) as ordinal,
                        coalesce(max(m.record_id::text)::uuid, '${LOWEST_ID}') as record_id
                 from (select ordinal, record_id from list_milestones
                       where program_id = known.program_id and list = known.list and record_id < $1
                       order by record_id desc limit 1) m) last
               cross join lateral (
                 select count(*) as count, max(r.id::text)::uuid as record_id from transactions r
                 where r.program_id = known.program_id and ${rows} and r.id > last.record_id and r.id < $1) rest
               where rest.count > 0
               on conflict do nothing`,
      },
      [belowId],
    );
}
