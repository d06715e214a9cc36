import { escapeIdentifier, escapeLiteral } from 'pg';

/** The first id after the existing months. */
export const findMonthsEnd = `
  select substring(pg_get_expr(relpartbound, oid) from '[0-9a-f-]{36}') as "endId"
  from pg_class where oid = 'transactions_later'::regclass`;

export interface Partition {
  name: string;
  fromId: string;
  belowId: string;
}

const attach = (name: string, from: string, below: string): string =>
  `alter table transactions attach partition ${name} for values from (${from}) to (${below});`;

function createPartition({ name, fromId, belowId }: Partition): string {
  const [table, from, below] = [escapeIdentifier(name), escapeLiteral(fromId), escapeLiteral(belowId)];
  return `
    create table ${table} (like transactions including all);
    alter table ${table} alter column program_id set statistics 0;
    with own as (delete from transactions_later where id >= ${from} and id < ${below} returning *)
    insert into ${table} select * from own;
    ${attach(table, from, below)}`;
}

/**
 * Creates the partitions that follow the last one, and moves their rows out of `transactions_later`. All other
 * statements on transactions wait for at most `limit`; if it expires, nothing has changed.
 */
export const createPartitions = (partitions: readonly Partition[], limit: string): string => `
  begin;
  set local lock_timeout = '300ms';
  set local statement_timeout = ${escapeLiteral(limit)};
  alter table transactions detach partition transactions_later;
  ${partitions.map(createPartition).join('')}
  ${attach('transactions_later', escapeLiteral(partitions.at(-1)?.belowId ?? ''), 'maxvalue')}
  commit`;
