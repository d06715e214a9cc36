import { asParameter, type Bind } from '../db/bind.ts';
import type { Queryable } from '../db/database.ts';

/** How an index leads to the rows of one value, newest or oldest first. */
export type Lead =
  /** An index begins with the program and the column and ends with the id. `where`: its condition on a row `r`, if it is partial. */
  | { column: string; value: (bind: Bind, program: string) => string; where?: string; beside?: Beside }
  | Merged
  /** The condition of a partial index on the program and the id, for a row `r`. */
  | { where: string };

/** The index is of another table, with the ids of this one's rows. */
interface Beside {
  table: string;
  /** Its column with the id, in which the index ends, once or with more columns behind. */
  id: string;
  /** The condition of the index on a row `r`, if it is partial. */
  where?: string;
}

/** The rows of several values, an SQL array, merged in the order of their ids. Null: too many. */
export interface Merged {
  column: string;
  values: (bind: Bind, program: string) => string;
}

/** The rows of a list that match filters. The table is as in `List`. */
export interface Filtered {
  table: string;
  /** No row is in two of them. None: all rows of the list. */
  leads: Lead[];
  /** Conditions on a row `t`. `program` is SQL: look-ups in other tables name the program by it, not by the row. */
  conditions: (bind: Bind, program: string) => string[];
  /** Those that rows of the leads may not meet. */
  narrowing: (bind: Bind, program: string) => string[];
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

/** The rows of a lead, in order. */
function streamOf(lead: Lead, { table, look, bind, program, from, limit }: Stream, columns = '*'): string {
  const { oldestFirst } = look;
  if (!('column' in lead))
    return `select ${columns} from ${table} r
      where r.program_id = ${program} and r.id ${oldestFirst ? '>' : '<'} ${from} and ${lead.where}
      order by r.id ${orderOf(look)} ${limit}`;
  const { column } = lead;
  const of = (value: string, where = 'true'): string =>
    `${rowsOf({ table, column, value, where, shown: '*', program, from, oldestFirst })} ${limit}`;
  if ('values' in lead)
    return `select r.* from unnest(${lead.values(bind, program)}) as wanted (value)
      cross join lateral (${of('wanted.value')}) r order by r.id ${orderOf(look)} ${limit}`;
  // PostgreSQL must not see the value either: it would read and sort all rows of one that its statistics do not know.
  const value = `(select ${lead.value(bind, program)})`;
  const { beside } = lead;
  if (!beside) return of(value, lead.where);
  const key = `r.${column}, r.${beside.id}`;
  const shown = `distinct on (${key}) r.${column} as found_value, r.${beside.id} as found_id`;
  return `select r.*, found.*
    from (${rowsOf({ ...beside, column, value, shown, program, from, oldestFirst })} ${limit}) found
    cross join lateral (select * from ${table} where program_id = ${program} and id = found_id offset 0) r
    order by ${orderBy('found', [lead], look)}`;
}

interface Rows extends Record<'table' | 'column' | 'value' | 'shown' | 'program' | 'from', string> {
  oldestFirst: boolean;
  id?: string;
  where?: string;
}

/**
 * The rows `r` of one value, in order. Arguments are SQL. The column is compared and sorted by together with the id: for
 * an equality PostgreSQL may walk the primary key instead, through a million active cards to no frozen one.
 */
export function rowsOf({ table, column, id = 'id', where = 'true', shown, ...at }: Rows): string {
  const [ahead, back] = at.oldestFirst ? ['>', '<'] : ['<', '>'];
  const order = orderOf(at);
  return `select ${shown} from ${table} r
    where r.program_id = ${at.program} and (r.${column}, r.${id}) ${ahead} (${at.value}, ${at.from})
      and r.${column} ${back}= ${at.value} and ${where}
    order by r.${column} ${order}, r.${id} ${order}`;
}

/** The same outside as inside: else the rows of the look would be sorted again, all of them. */
function orderBy(row: string, leads: Lead[], look: Look): string {
  const lead = onlyLead(leads);
  const columns = lead ? keysOf(lead) : ['id'];
  return columns.map((name) => `${row}.${name} ${orderOf(look)}`).join(', ');
}

/** PostgreSQL knows that the program is one value, and sorts again if it is named. */
const keysOf = ({ column, beside }: Extract<Lead, { value: unknown }>): string[] => {
  if (!beside) return [column, 'id'];
  return column === 'program_id' ? ['found_id'] : ['found_value', 'found_id'];
};

/** The lead, if it is one value of a column. */
function onlyLead(leads: Lead[]): Extract<Lead, { value: unknown }> | undefined {
  const [lead, ...others] = leads;
  return lead && 'value' in lead && others.length === 0 ? lead : undefined;
}

const orderOf = ({ oldestFirst }: Pick<Look, 'oldestFirst'>): string => (oldestFirst ? 'asc' : 'desc');

const matching = (list: Filtered, look: Look, bind: Bind): string => {
  const program = bind(look.programId, 'uuid');
  const conditions = (list.leads.length > 0 ? list.narrowing : list.conditions)(bind, program);
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

/**
 * The rows with a label, which a table beside the list's has by its primary key. The condition is a look-up for each row:
 * of `exists` PostgreSQL would make a join, with all rows of the label.
 */
export const labelledIn = (table: string) => (label: string) => ({
  where: (bind: Bind, program: string) => `(select l.id from ${table} l
    where l.program_id = ${program} and l.label = ${bind(label, 'text')} and l.id = t.id) is not null`,
  leads: [{ column: 'label', value: (bind: Bind) => bind(label, 'text'), beside: { table, id: 'id' } }],
  isExact: true,
});

/** All matching rows as `t`, in order, for COPY. `bind` writes literals. */
export function allMatching(list: Filtered, range: Omit<Look, 'limit'>, bind: Bind): string {
  const program = bind(range.programId, 'uuid');
  const lead = onlyLead(list.leads);
  const bounds = [
    `r.program_id = ${program}`,
    ...(lead && !lead.beside ? [`r.${lead.column} = ${lead.value(bind, program)}`] : []),
    `r.id > ${bind(range.aboveId, 'uuid')}`,
    `r.id < ${bind(range.belowId, 'uuid')}`,
  ];
  return `(select * from (select * from ${list.table} r where ${bounds.join(' and ')}
    order by r.id ${orderOf(range)}) t where ${['true', ...list.conditions(bind, program)].join(' and ')}) t`;
}
