import { escapeIdentifier, escapeLiteral } from 'pg';

/** The parts of the table of transactions. */
export const listParts = `
  select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'transactions'::regclass order by 1`;

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
 * Makes parts that follow the last one, and gives them what was kept with the later ones. Statements that are under way
 * are waited for, and those that come meanwhile wait too: not for long.
 */
export const makeParts = (parts: readonly PartRange[]): string => `
  begin;
  set local lock_timeout = '1s';
  alter table transactions detach partition transactions_later;
  ${parts.map(makePart).join('')}
  ${attach('transactions_later', escapeLiteral(parts.at(-1)?.belowId ?? ''), 'maxvalue')}
  commit`;
