import { asParameter, type Bind } from '../db/bind.ts';
import type { Queryable } from '../db/database.ts';

/** The rows of a list that match filters. The table is as in `List`. */
export interface Filtered {
  table: string;
  /** A column and the value that it must have. An index begins with the program and this column and ends with the id. */
  lead?: { column: string; value: (bind: Bind) => string } | undefined;
  /** Conditions on a row `t`. `program` is SQL: look-ups in other tables name the program by it, not by the row. */
  conditions: (bind: Bind, program: string) => string[];
}

/** The part of a list to read: the ids between two ids, in one of two orders, at most `limit` rows of them. */
export interface Look {
  programId: string;
  /** No record has this id or `belowId`, or the record was on the page before. */
  aboveId: string;
  belowId: string;
  oldestFirst: boolean;
  limit: number;
}

/**
 * The far end is compared after the read. For a range with two ends PostgreSQL estimates very few rows, reads all of a
 * small table and sorts it. The planner must not see the limit either: for a program that it takes for a small one it
 * would read and sort all rows. A lead is compared and sorted by together with the id: for an equality PostgreSQL may
 * walk the primary key instead, through a million active cards to no frozen one.
 */
function lookedAt(
  { table, lead }: Filtered,
  look: Look,
  bind: Bind,
  program: string,
  columns: string,
): string {
  const [ahead, from, back, to] = look.oldestFirst
    ? ['>', look.aboveId, '<', look.belowId]
    : ['<', look.belowId, '>', look.aboveId];
  const value = lead?.value(bind);
  const near = lead
    ? `(r.${lead.column}, r.id) ${ahead} (${value}, ${bind(from, 'uuid')}) and r.${lead.column} ${back}= ${value}`
    : `r.id ${ahead} ${bind(from, 'uuid')}`;
  return `select * from (
    select ${columns} from ${table} r where r.program_id = ${program} and ${near}
    order by ${orderBy('r', lead, look)} limit (select ${bind(BigInt(look.limit), 'bigint')})) seen
    where id ${back} ${bind(to, 'uuid')}`;
}

/** The same outside as inside: else the rows of the look would be sorted again, all of them. */
const orderBy = (row: string, lead: Filtered['lead'], look: Look): string =>
  [...(lead ? [lead.column] : []), 'id'].map((column) => `${row}.${column} ${orderOf(look)}`).join(', ');

const orderOf = ({ oldestFirst }: Pick<Look, 'oldestFirst'>): string => (oldestFirst ? 'asc' : 'desc');

const matching = (list: Filtered, look: Look, bind: Bind): string => {
  const program = bind(look.programId, 'uuid');
  const conditions = list.conditions(bind, program);
  return `(${lookedAt(list, look, bind, program, '*')}) t where ${['true', ...conditions].join(' and ')}`;
};

/** The ids of the first matching rows. Stops when it has found enough. */
export async function findMatching(
  db: Queryable,
  list: Filtered,
  look: Look,
  found: number,
): Promise<string[]> {
  const values: unknown[] = [];
  const rows = matching(list, look, asParameter(values));
  const ids = await db.query<{ id: string }>(
    `select t.id from ${rows} order by ${orderBy('t', list.lead, look)} limit ${Math.trunc(found)}`,
    values,
  );
  return ids.map(({ id }) => id);
}

/** The last id of a look that was cut by its limit. Undefined if the range was read to its end. */
export async function findLookEnd(db: Queryable, list: Filtered, look: Look): Promise<string | undefined> {
  const values: unknown[] = [];
  const bind = asParameter(values);
  const rows = lookedAt(list, look, bind, bind(look.programId, 'uuid'), 'r.id');
  const ends = await db.query<{ id: string }>(
    `select id from (${rows}) seen offset ${Math.trunc(look.limit) - 1} limit 1`,
    values,
  );
  return ends[0]?.id;
}

/** The number of matching rows, at most `most`. */
export async function countMatching(
  db: Queryable,
  list: Filtered,
  look: Look,
  most: number,
): Promise<number> {
  const values: unknown[] = [];
  const rows = matching(list, look, asParameter(values));
  const counts = await db.query<{ count: bigint }>(
    `select count(*) as count from (select from ${rows} limit ${Math.trunc(most)}) found`,
    values,
  );
  return Number(counts[0]?.count ?? 0n);
}

/** All matching rows as `t`, in order, for COPY. `bind` writes literals. */
export function allMatching(list: Filtered, range: Omit<Look, 'limit'>, bind: Bind): string {
  const program = bind(range.programId, 'uuid');
  const bounds = [
    `r.program_id = ${program}`,
    list.lead && `r.${list.lead.column} = ${list.lead.value(bind)}`,
    `r.id > ${bind(range.aboveId, 'uuid')}`,
    `r.id < ${bind(range.belowId, 'uuid')}`,
  ].filter(Boolean);
  return `(select * from (select * from ${list.table} r where ${bounds.join(' and ')}
    order by r.id ${orderOf(range)}) t where ${['true', ...list.conditions(bind, program)].join(' and ')}) t`;
}
