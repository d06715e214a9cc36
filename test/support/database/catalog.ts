import pg from 'pg';
import { sql } from './database.ts';

/** Few rows, which stay on the coordinator of a cluster, or the one look-up across programs. */
export const GLOBAL_TABLES = [
  'api_keys',
  'card_fingerprints',
  'notification_preferences',
  'notification_webhooks',
  'operator_invitations',
  'operator_recovery_codes',
  'operator_sessions',
  'operators',
  'programs',
  'sign_in_attempts',
  'vault_keys',
];
/** The migration runner's own. */
export const RUNNER_TABLES = ['migration_checksums', 'migrations'];

interface Fault {
  fault: string;
}

/**
 * Everything that keeps the schema from being spread by program, one sentence each. `change` is tried out
 * before the look and undone after it.
 */
export async function distributionFaults(url: string, change?: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    if (change) await client.query(change);
    const { rows } = await client.query<Fault>(FAULTS, [GLOBAL_TABLES, RUNNER_TABLES]);
    await client.query('rollback');
    return rows.map((row) => row.fault);
  } finally {
    await client.end();
  }
}

export async function tableNames(url: string): Promise<string[]> {
  const rows = await sql<{ name: string }>(
    url,
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  return rows.map((row) => row.name);
}

const FAULTS = `
  with tables as (
    select c.oid, c.relname as name, c.relname = any ($1) as is_global,
           (select a.attnum from pg_attribute a
            where a.attrelid = c.oid and a.attname = 'program_id' and a.attnotnull and a.atttypid = 'uuid'::regtype) as program_id
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all ($2)
  )
  select format('%s has no program_id uuid not null', name) as fault
  from tables where not is_global and program_id is null
  union all
  select format('%s has no primary key', name)
  from tables t where not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary)
  union all
  select format('%s: unique %s lacks program_id', t.name, i.indexrelid::regclass)
  from tables t join pg_index i on i.indrelid = t.oid and i.indisunique
  where not t.is_global and (t.program_id is null or t.program_id <> all (i.indkey::int2[]))
  union all
  select format('%s: %s does not carry program_id', t.name, f.conname)
  from tables t
  join pg_constraint f on f.conrelid = t.oid and f.contype = 'f'
  left join tables target on target.oid = f.confrelid
  where not t.is_global
    and not exists (
      select from unnest(f.conkey, f.confkey) as pair (own, other)
      where pair.own = t.program_id
        and (pair.other = target.program_id or target.name = 'programs'))
  union all
  select format('%s, which is on the coordinator, points at %s, which is not', t.name, target.name)
  from tables t
  join pg_constraint f on f.conrelid = t.oid and f.contype = 'f'
  join tables target on target.oid = f.confrelid and not target.is_global
  where t.is_global
  union all
  select format('%s has the trigger %s', tgrelid::regclass, tgname) from pg_trigger where not tgisinternal
  union all
  select format('%s is a sequence', c.relname)
  from pg_class c
  where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace
    and not exists (select from pg_depend d join pg_class o on o.oid = d.refobjid
                    where d.objid = c.oid and d.deptype in ('a', 'i') and o.relname = any ($2))
  union all
  select format('%s.%s is an identity column', t.name, a.attname)
  from tables t join pg_attribute a on a.attrelid = t.oid and a.attidentity <> ''
  order by fault`;
