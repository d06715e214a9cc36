import { escapeIdentifier, escapeLiteral } from 'pg';

export const BEGIN = { name: 'begin', text: 'begin' };
export const BEGIN_SNAPSHOT = {
  name: 'begin_snapshot',
  text: 'begin isolation level repeatable read, read only',
};
export const COMMIT = { name: 'commit', text: 'commit' };
export const ROLLBACK = 'rollback';

/**
 * The server ends slow statements: a statement that only this process gave up on would go on waiting for its lock, and
 * a few of those would use up all connections. Lists rely on it too: no transaction is older than a minute. The limits
 * and the role are set within the transaction, because a pooler may share a session. Named statements are planned once:
 * for short lists of ids, planning each time takes longer than running them; Citus cannot plan without the program, unless
 * the connection names shards. A plan from when a table was empty would go on reading all of it (with sequential scans on,
 * nearly every statement gets one after ANALYZE of an empty database), so sequential scans are out. Look-ups are not
 * memoized: their keys differ, so a cache of them would only add cost. Plan tests use connections without these settings.
 */
export const limitTransaction = (role: string | undefined) => ({
  name: 'limit_transaction',
  text: `select set_config('idle_in_transaction_session_timeout', $1, true), set_config('statement_timeout', $2, true),
                set_config('plan_cache_mode', case when current_setting('citus.shard_count', true) is null
                  or current_setting('citus.enable_manual_changes_to_shards', true) = 'on'
                  then 'force_generic_plan' else 'auto' end, true),
                set_config('enable_seqscan', 'off', true),
                set_config('enable_memoize', 'off', true)${role ? ", set_config('role', $3, true)" : ''}`,
});

/** A statement of its own: only so does it reach the nodes of a cluster, where the locks are. */
export const limitLocks = (lockMs: number) => ({
  name: `limit_locks_${Math.trunc(lockMs)}`,
  text: `set local lock_timeout = ${Math.trunc(lockMs)}`,
});

/** The application name of connections that only read: the age of their transactions does not matter. */
export const READER_NAME = 'emboss reader';

/**
 * The server notices a lost client within 500 ms and not when it sends the next row, which may take minutes. Not every
 * server supports it.
 */
export const noticeLostReader = `
  do $$ begin
    perform set_config('client_connection_check_interval', '500ms', true);
  exception when others then null;
  end $$`;

/**
 * Limits of a long read: one hour in total, 5 s per lock, no parallel workers, no JIT. Rows are read in index order and
 * each is looked up once, so bitmap scans and memoized look-ups would only add cost.
 */
export const limitCopy = (role: string | undefined) => ({
  text: `select set_config('statement_timeout', '1h', true), set_config('lock_timeout', '5s', true),
                set_config('jit', 'off', true),
                set_config('max_parallel_workers_per_gather', '0', true), set_config('enable_memoize', 'off', true),
                set_config('enable_bitmapscan', 'off', true)${role ? ", set_config('role', $1, true)" : ''}`,
});

/** COPY takes no parameters: the caller must have checked each value in the query. */
export const copyAsCsv = (query: string): string =>
  `copy (${query}) to stdout with (format csv, header true, encoding 'UTF8')`;

/** Whether a transaction that may still write began at least so many milliseconds ago. */
export const findOlderTransaction = {
  text: `select exists (
           select from pg_stat_activity
           where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
             and application_name <> '${READER_NAME}' and xact_start <= clock_timestamp() - $1 * interval '1 millisecond') as found`,
};

/** One role per database: all databases of a server share its roles, and they may have different owners. */
export const applicationRoleName = `
  select left('emboss_app_' || current_database(), 63) as role`;

/** One process migrates, and the others wait without a time limit. The transaction does nothing else. */
export const takeTurn = `
  begin;
  set local idle_in_transaction_session_timeout = 0;
  set local statement_timeout = 0;
  select pg_advisory_xact_lock(hashtext('emboss migrate'))`;

/** The tables that we own; other tables in the database are left alone. */
const OWN_TABLES = `
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and pg_get_userbyid(c.relowner) = current_user`;

/**
 * The comment of a table in its migration says what roles other than the owner may do with its rows. Without one they
 * may insert and update rows, but not delete them.
 */
const APPEND_ONLY = "(coalesce(obj_description(c.oid, 'pg_class'), '') = 'append only')";
const MAY_DELETE = "(coalesce(obj_description(c.oid, 'pg_class'), '') = 'rows may be deleted')";
const READ_ONLY = "(c.relname in ('migrations', 'migration_checksums'))";

const has = (right: string): string => `has_table_privilege(r.oid, c.oid, '${right}')`;

/** Whether a role in `pg_roles r` has exactly its rights: it can add to ledger and audit but never change them. */
const HAS_ITS_RIGHTS = `
  (select bool_and(${has('select')}
                   and ${has('insert')} <> ${READ_ONLY}
                   and ${has('update')} <> (${READ_ONLY} or ${APPEND_ONLY})
                   and ${has('delete')} = ${MAY_DELETE}
                   and not ${has('truncate')}) ${OWN_TABLES})
   and coalesce(has_function_privilege(r.oid, to_regprocedure('hold_home(uuid)')::oid, 'execute'), true)`;

/** For a block that declares the lists of tables. */
const giveRights = (role: string): string => `
    grant usage on schema public to ${escapeIdentifier(role)};
    execute format('revoke delete, truncate on %s from %I', own, ${escapeLiteral(role)});
    execute format('grant select, insert, update on %s to %I', own, ${escapeLiteral(role)});
    alter default privileges in schema public grant select, insert, update on tables to ${escapeIdentifier(role)};
    execute format('grant delete on %s to %I', may_delete, ${escapeLiteral(role)});
    execute format('revoke update on %s from %I', append_only, ${escapeLiteral(role)});
    execute format('revoke insert, update on %s from %I', read_only, ${escapeLiteral(role)});
    -- Only on a cluster.
    if to_regprocedure('hold_home(uuid)') is not null then
      grant execute on function hold_home(uuid) to ${escapeIdentifier(role)};
    end if;`;

const tables = (condition: string): string =>
  `text := (select string_agg(format('%I', c.relname), ', ') ${OWN_TABLES} and ${condition});`;

const DECLARE_TABLES = `
    own ${tables('true')}
    append_only ${tables(APPEND_ONLY)}
    may_delete ${tables(MAY_DELETE)}
    read_only ${tables(READ_ONLY)}`;

/** Processes that start together prepare the database one after the other. */
const TAKE_TURNS = "perform pg_advisory_xact_lock(hashtext('emboss prepare'));";

/** Whether transactions can run under the role with exactly its rights. */
export const isRoleReady = (role: string): string => `
  select exists (
    select from pg_roles r where r.rolname = ${escapeLiteral(role)} and pg_has_role(r.oid, 'member')
      and ${HAS_ITS_RIGHTS}) as ready`;

export const prepareRole = (role: string): string => `
  do $$
  declare ${DECLARE_TABLES}
  begin
    ${TAKE_TURNS}
    begin
      create role ${escapeIdentifier(role)} nologin;
    exception
      -- An administrator may have created it for us.
      when duplicate_object or unique_violation or insufficient_privilege then null;
    end;
    if not pg_has_role(current_user, (select oid from pg_roles where rolname = ${escapeLiteral(role)}), 'member') then
      grant ${escapeIdentifier(role)} to current_user;
    end if;
    ${giveRights(role)}
  end $$`;

export const isServerReady = (login: string): string => `
  select exists (select from pg_roles r where r.rolname = ${escapeLiteral(login)} and ${HAS_ITS_RIGHTS}) as value`;

/**
 * Grants the rights of a login that only serves. If allowed, the login can also see when other transactions began:
 * lists rely on none being old.
 */
export const grantToServer = (login: string): string => `
  do $$
  declare ${DECLARE_TABLES}
  begin
    ${TAKE_TURNS}
    ${giveRights(login)}
    begin
      grant pg_read_all_stats to ${escapeIdentifier(login)};
    exception when insufficient_privilege then null;
    end;
  end $$`;

/** For the embedded server. The verifier is the form in which PostgreSQL stores the password. */
export const prepareServerLogin = (login: string, verifier: string): string => `
  do $$ begin
    ${TAKE_TURNS}
    if not exists (select from pg_roles where rolname = ${escapeLiteral(login)}) then
      create role ${escapeIdentifier(login)} login password ${escapeLiteral(verifier)};
    end if;
  end $$`;

export const setServerPassword = (login: string, verifier: string): string =>
  `alter role ${escapeIdentifier(login)} password ${escapeLiteral(verifier)}`;

export const currentLogin = "select format('%s', current_user) as value";

/** Whether another login owns the schema. */
export const isVisitor = `
  select exists (
    select from pg_class c where c.oid = to_regclass('migrations') and not pg_has_role(c.relowner, 'usage')) as value`;

/** The protection left if no role can be created. It does not bind a superuser. */
export const protectFromOwner = `
  do $$
  declare append_only ${tables(APPEND_ONLY)}
  begin
    execute format('revoke update, delete, truncate on %s from current_user', append_only);
  end $$`;

export const tryRole = (role: string): string =>
  `begin; set local role ${escapeIdentifier(role)}; select 1 from migrations limit 1; rollback`;

/** Whether a role can log in: on a cluster each node is queried as the role. */
export const canLogIn = 'select rolcanlogin as value from pg_roles where rolname = $1';

/** The version as a number to compare and as text. */
export const serverVersion = `
  select current_setting('server_version_num')::int as number, current_setting('server_version') as name`;

/**
 * By default PostgreSQL assumes a slow disk, and would read and sort all rows of a small program instead of following
 * an index to the newest few. This applies to our sessions only, and only if the setting still has its default. Two
 * servers that start together may conflict here; one of them succeeds.
 */
export const preferIndexes = `
  do $$ begin
    if (select source from pg_settings where name = 'random_page_cost') = 'default' then
      execute format('alter role %I in database %I set random_page_cost = 1.1', session_user, current_database());
    end if;
  exception when others then null;
  end $$`;

/** Facts about the server for `emboss doctor`. The settings are those of our own sessions. */
export const serverFacts = `
  select current_setting('server_version_num')::int as version_number, current_setting('server_version') as version,
         current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
         current_setting('full_page_writes') as full_page_writes, pg_is_in_recovery() as standby,
         clock_timestamp() as now`;

export const hasMigrationTables = `
  select to_regclass('migrations') is not null and to_regclass('migration_checksums') is not null as present`;

export const listMigrations = `
  select m.name, c.sha256 from migrations m left join migration_checksums c on c.name = m.name order by m.name`;

/** Checksums of applied migrations. `if not exists` alone collides when two processes create it at once. */
export const prepareChecksums = `
  do $$ begin
    ${TAKE_TURNS}
    create table if not exists migration_checksums (name text primary key, sha256 text not null);
  end $$`;

export const insertChecksums = `
  insert into migration_checksums (name, sha256)
  select name, sha256 from unnest($1::text[], $2::text[]) as file (name, sha256)
  on conflict (name) do nothing`;

export const listChecksums = 'select name, sha256 from migration_checksums order by name';

export const ping = 'select 1';

/** The clock that all servers share, in milliseconds. */
export const databaseTime = 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms';

/** The catalog as text, one line per column, constraint and index; the same on every PostgreSQL from 15 on. */
export const dumpSchema = `
  with tables as (
    select c.oid, c.relname
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('migrations', 'migration_checksums')
  )
  select t.relname as table_name, 1 as part, a.attnum::int as position,
         format('  %s %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                case when a.attnotnull then ' not null' else '' end,
                coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')) as line
  from tables t
  join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  union all
  select t.relname, 2, 0, format('  constraint %s %s', o.conname, pg_get_constraintdef(o.oid))
  from tables t join pg_constraint o on o.conrelid = t.oid and o.contype <> 'n'
  union all
  select t.relname, 4, 0, format('comment on table %I is %L', t.relname, obj_description(t.oid, 'pg_class'))
  from tables t where obj_description(t.oid, 'pg_class') is not null
  union all
  select t.relname, 3, 0, format('partition by %s', pg_get_partkeydef(t.oid))
  from tables t where pg_get_partkeydef(t.oid) is not null
  union all
  select t.relname, 4, 0, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
  from tables t join pg_index i on i.indrelid = t.oid
  where not exists (select from pg_constraint o where o.conindid = i.indexrelid and o.contype in ('p', 'u', 'x'))
  order by table_name, part, position, line`;

/** A session lock, not a transaction lock: only the embedded database uses it, and never through a pooler. */
export const claimDataDir = "select pg_try_advisory_lock(hashtext('emboss server')) as claimed";

export const countOtherSessions = `
  select count(*)::int as others from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
