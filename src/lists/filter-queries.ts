import { asParameter, type Bind } from '../db/bind.ts';
import type { Queryable } from '../db/database.ts';

/** How an index leads to the rows of one value, newest or oldest first. */
export type Lead =
  /** An index begins with the program and the column and ends with the id. `table`: beside the list's own, with its ids. */
  | { column: string; value: (bind: Bind, program: string) => string; table?: string }
  /** The rows of several values, an SQL array, merged in the order of their ids. */
  | { column: string; values: (bind: Bind, program: string) => string }
  /** The condition of a partial index on the program and the id, for a row `r`. */
  | { where: string };

/** The rows of a list that match filters. The table is as in `List`. */
export interface Filtered {
  table: string;
  /** No row is in two of them. None: all rows of the list. */
  leads: Lead[];
  /** Conditions on a row `t`. `program` is SQL: look-ups in other tables name the program by it, not by the row. */
  conditions: (bind: Bind, program: string) => string[];
  /** These are all rows of one card. */
  cardId?: string;
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
 * would read and sort all rows.
 */
function lookedAt(
  { table, leads }: Filtered,
  look: Look,
  bind: Bind,
  program: string,
  columns: string,
): string {
  const [from, to] = look.oldestFirst ? [look.aboveId, look.belowId] : [look.belowId, look.aboveId];
  const at: Stream = {
    table,
    look,
    bind,
    program,
    from: bind(from, 'uuid'),
    limit: `limit (select ${bind(BigInt(look.limit), 'bigint')})`,
  };
  const [lead, ...others] = leads.map((each) => `(${streamOf(each, at)})`);
  const all = others.length === 0 ? lead : `(${[lead, ...others].join(' union all ')})`;
  const rows = all ? `select ${columns} from ${all} r` : streamOf({ where: 'true' }, at, columns);
  const ends = all ? `order by ${orderBy('r', leads, look)} ${at.limit}` : '';
  return `select * from (${rows} ${ends}) seen where id ${look.oldestFirst ? '<' : '>'} ${bind(to, 'uuid')}`;
}

interface Stream {
  table: string;
  look: Look;
  bind: Bind;
  program: string;
  from: string;
  limit: string;
}

/**
 * The rows of a lead, in order. Its column is compared and sorted by together with the id: for an equality PostgreSQL may
 * walk the primary key instead, through a million active cards to no frozen one.
 */
function streamOf(lead: Lead, { table, look, bind, program, from, limit }: Stream, columns = '*'): string {
  const [ahead, back] = look.oldestFirst ? ['>', '<'] : ['<', '>'];
  if ('where' in lead)
    return `select ${columns} from ${table} r where r.program_id = ${program} and r.id ${ahead} ${from} and ${lead.where}
      order by r.id ${orderOf(look)} ${limit}`;
  const { column } = lead;
  const of = (rows: string, value: string, shown: string): string => `select ${shown} from ${rows} r
    where r.program_id = ${program} and (r.${column}, r.id) ${ahead} (${value}, ${from}) and r.${column} ${back}= ${value}
    order by r.${column} ${orderOf(look)}, r.id ${orderOf(look)} ${limit}`;
  if ('values' in lead)
    return `select r.* from unnest(${lead.values(bind, program)}) as wanted (value)
      cross join lateral (${of(table, 'wanted.value', '*')}) r order by r.id ${orderOf(look)} ${limit}`;
  const value = lead.value(bind, program);
  if (!lead.table) return of(table, value, '*');
  return `select r.* from (${of(lead.table, value, 'r.id')}) found
    cross join lateral (select * from ${table} where program_id = ${program} and id = found.id offset 0) r
    order by r.id ${orderOf(look)}`;
}

/** The same outside as inside: else the rows of the look would be sorted again, all of them. */
const orderBy = (row: string, leads: Lead[], look: Look): string =>
  [...onlyLead(leads).map(({ column }) => column), 'id']
    .map((name) => `${row}.${name} ${orderOf(look)}`)
    .join(', ');

/** The lead, if it is one value of a column of the list itself. */
function onlyLead(leads: Lead[]): Array<Extract<Lead, { value: unknown }>> {
  const [lead, ...others] = leads;
  return lead && 'value' in lead && !lead.table && others.length === 0 ? [lead] : [];
}

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
    `select t.id from ${rows} order by ${orderBy('t', list.leads, look)} limit ${Math.trunc(found)}`,
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
    ...onlyLead(list.leads).map(({ column, value }) => `r.${column} = ${value(bind, program)}`),
    `r.id > ${bind(range.aboveId, 'uuid')}`,
    `r.id < ${bind(range.belowId, 'uuid')}`,
  ];
  return `(select * from (select * from ${list.table} r where ${bounds.join(' and ')}
    order by r.id ${orderOf(range)}) t where ${['true', ...list.conditions(bind, program)].join(' and ')}) t`;
}
