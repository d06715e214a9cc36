import { escapeIdentifier, escapeLiteral } from 'pg';

/** Where the months that were made end, as an id. */
export const findMonthsEnd = `
  select substring(pg_get_expr(relpartbound, oid) from '[0-9a-f-]{36}') as "endId"
  from pg_class where oid = 'transactions_later'::regclass`;

export interface PartRange {
  name: string;
  fromId: string;
  belowId: string;
}

const attach = (name: string, from: string, below: string): string =>
  `alter table transactions attach partition ${name} for values from (${from}) to (${below});`;

function makePart({ name, fromId, belowId }: PartRange): string {
  const [part, from, below] = [escapeIdentifier(name), escapeLiteral(fromId), escapeLiteral(belowId)];
  return `
    create table ${part} (like transactions including all);
    alter table ${part} alter column program_id set statistics 0;
    with own as (delete from transactions_later where id >= ${from} and id < ${below} returning *)
    insert into ${part} select * from own;
    ${attach(part, from, below)}`;
}

/**
 * Makes parts that follow the last one, and gives them what was kept with the later ones. Everybody waits meanwhile:
 * no longer than `limit`, after which nothing has changed.
 */
export const makeParts = (parts: readonly PartRange[], limit: string): string => `
  begin;
  set local lock_timeout = '300ms';
  set local statement_timeout = ${escapeLiteral(limit)};
  alter table transactions detach partition transactions_later;
  ${parts.map(makePart).join('')}
  ${attach('transactions_later', escapeLiteral(parts.at(-1)?.belowId ?? ''), 'maxvalue')}
  commit`;
