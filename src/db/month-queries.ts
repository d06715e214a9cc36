import { escapeIdentifier, escapeLiteral } from 'pg';

/** The tables that are partitioned by month, each with the first id after its existing months. */
export const findMonthsEnd = `
  select parent.relname as "table",
         substring(pg_get_expr(later.relpartbound, later.oid) from '[0-9a-f-]{36}') as end_id
  from pg_class parent join pg_inherits i on i.inhparent = parent.oid join pg_class later on later.oid = i.inhrelid
  where parent.relnamespace = 'public'::regnamespace and later.relname = parent.relname || '_later'
  order by 1`;

export interface Partition {
  name: string;
  fromId: string;
  belowId: string;
}

const laterOf = (table: string): string => escapeIdentifier(`${table}_later`);

const attach = (table: string, name: string, from: string, below: string): string =>
  `alter table ${escapeIdentifier(table)} attach partition ${name} for values from (${from}) to (${below})`;

function createPartition(table: string, { name, fromId, belowId }: Partition): string[] {
  const [partition, from, below] = [escapeIdentifier(name), escapeLiteral(fromId), escapeLiteral(belowId)];
  const own = `from ${laterOf(table)} where id >= ${from} and id < ${below}`;
  return [
    `create table ${partition} (like ${escapeIdentifier(table)} including all)`,
    `alter table ${partition} alter column program_id set statistics 0`,
    `insert into ${partition} select * ${own}`,
    `delete ${own}`,
    attach(table, partition, from, below),
  ];
}

/**
 * Creates the partitions that follow the last one, and moves their rows out of the table's last partition, `…_later`.
 * All other statements on the table wait meanwhile. No statement takes longer than `limit`; if one does, nothing has changed.
 * Send them one by one: a distributed table does not accept several in one message.
 */
export const createPartitions = (
  table: string,
  partitions: readonly Partition[],
  limit: string,
): string[] => [
  'begin',
  "set local lock_timeout = '300ms'",
  `set local statement_timeout = ${escapeLiteral(limit)}`,
  // A process that stops between two statements must not keep the table.
  "set local idle_in_transaction_session_timeout = '2s'",
  `alter table ${escapeIdentifier(table)} detach partition ${laterOf(table)}`,
  ...partitions.flatMap((partition) => createPartition(table, partition)),
  attach(table, laterOf(table), escapeLiteral(partitions.at(-1)?.belowId ?? ''), 'maxvalue'),
  'commit',
];

/** The lowest id that a partitioned table has rows for: older months were archived. Null: none were. */
export const findMonthsStart = `
  select min(substring(pg_get_expr(month.relpartbound, month.oid) from $$FROM \\('([0-9a-f-]{36})'$$)) as from_id,
         bool_or(pg_get_expr(month.relpartbound, month.oid) like '%MINVALUE%') as is_whole
  from pg_class parent join pg_inherits i on i.inhparent = parent.oid join pg_class month on month.oid = i.inhrelid
  where parent.relnamespace = 'public'::regnamespace and parent.relname = $1`;
