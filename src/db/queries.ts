import { escapeIdentifier, escapeLiteral } from 'pg';

export const BEGIN = { name: 'begin', text: 'begin' };
export const BEGIN_SNAPSHOT = {
  name: 'begin_snapshot',
  text: 'begin isolation level repeatable read, read only',
};
export const COMMIT = { name: 'commit', text: 'commit' };
export const ROLLBACK = 'rollback';

/**
 * The server ends what takes too long: a statement that only we gave up on would stay there waiting for its lock, and
 * a few of those would fill the server. Lists rely on it too: no transaction is older than a minute. Set within the
 * transaction, because a session may be shared through a pooler; so is the role. Named statements are planned once:
 * for short lists of ids the server would otherwise plan again each time, which takes longer than running them.
 */
export const limitTransaction = (role: string | undefined) => ({
  name: 'limit_transaction',
  text: `select set_config('lock_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $2, true),
                set_config('statement_timeout', $3, true),
                set_config('plan_cache_mode', 'force_generic_plan', true)${role ? ", set_config('role', $4, true)" : ''}`,
});

/** By this name others know that a transaction only reads, however old it is. */
export const READER_NAME = 'emboss reader';

/**
 * A reader that is gone is noticed soon, and not when the next row is sent to it: the first one may be minutes away.
 * Not every server can.
 */
export const noticeLostReader = `
  do $$ begin
    perform set_config('client_connection_check_interval', '500ms', true);
  exception when others then null;
  end $$`;

/**
 * A long read: an hour for all of it, little for each lock, no second process of the server for it, no time lost on
 * compiling its plan. Rows come in the order of an index, each looked up once: to sort them, or to keep what was looked
 * up, would only cost.
 */
export const limitCopy = (role: string | undefined) => ({
  text: `select set_config('statement_timeout', '1h', true), set_config('lock_timeout', '5s', true),
                set_config('jit', 'off', true),
                set_config('max_parallel_workers_per_gather', '0', true), set_config('enable_memoize', 'off', true),
                set_config('enable_bitmapscan', 'off', true)${role ? ", set_config('role', $1, true)" : ''}`,
});

/** COPY takes no parameters: whoever writes the query has checked each value in it. */
export const copyAsCsv = (query: string): string =>
  `copy (${query}) to stdout with (format csv, header true, encoding 'UTF8')`;

/** Whether a transaction that may still write is as old as a moment (in milliseconds). */
export const findOlderTransaction = {
  text: `select exists (
           select from pg_stat_activity
           where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
             and application_name <> '${READER_NAME}' and extract(epoch from xact_start) * 1000 <= $1) as found`,
};

/** One role per database: the roles of a server are shared by all databases on it, which may have other owners. */
export const applicationRoleName = `
  select left('emboss_app_' || current_database(), 63) as role`;

/** What is only added to, and what is only looked at, by all but the owner. */
const APPENDED = 'ledger_transfers, audit_entries, audit_links';
const LOOKED_AT = 'migrations, migration_checksums';
/**
 * Rows that are there for a while, and look-ups, which are made anew when their key is replaced. Of everything else
 * nothing is ever deleted, and it cannot be.
 */
const SHORT_LIVED =
  'audit_unlinked, card_fingerprints, card_search_words, idempotency_records, operator_recovery_codes, operator_sessions, sign_in_attempts, transaction_slices';

/** One migrates and the others wait, for as long as it takes. The transaction does nothing else. */
export const takeTurn = `
  begin;
  set local idle_in_transaction_session_timeout = 0;
  set local statement_timeout = 0;
  select pg_advisory_xact_lock(hashtext('emboss migrate'))`;

/** Our own tables only: whatever else lives in the database is none of its business. */
const OWN_TABLES = `
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and pg_get_userbyid(c.relowner) = current_user`;

const isAmong = (tables: string): string => `(c.relname = any (string_to_array('${tables}', ', ')))`;
const has = (right: string): string => `has_table_privilege(r.oid, c.oid, '${right}')`;

/** It may add to the past and never change it; of a role in `pg_roles r`. */
const HAS_ITS_RIGHTS = `
  (select bool_and(${has('select')}
                   and ${has('insert')} <> ${isAmong(LOOKED_AT)}
                   and ${has('update')} <> ${isAmong(`${LOOKED_AT}, ${APPENDED}`)}
                   and ${has('delete')} = ${isAmong(SHORT_LIVED)}
                   and not ${has('truncate')}) ${OWN_TABLES})`;

/** Inside a block that declares `own`. */
const giveRights = (role: string): string => `
    grant usage on schema public to ${escapeIdentifier(role)};
    execute format('revoke delete, truncate on %s from %I', own, ${escapeLiteral(role)});
    execute format('grant select, insert, update on %s to %I', own, ${escapeLiteral(role)});
    alter default privileges in schema public grant select, insert, update on tables to ${escapeIdentifier(role)};
    grant delete on ${SHORT_LIVED} to ${escapeIdentifier(role)};
    revoke update on ${APPENDED} from ${escapeIdentifier(role)};
    revoke insert, update on ${LOOKED_AT} from ${escapeIdentifier(role)};`;

const DECLARE_OWN = `own text := (select string_agg(format('%I', c.relname), ', ') ${OWN_TABLES});`;

/** Processes that start together prepare the database one after the other. */
const TAKE_TURNS = "perform pg_advisory_xact_lock(hashtext('emboss prepare'));";

/** Whether transactions can run under the role, as they should. */
export const isRoleReady = (role: string): string => `
  select exists (
    select from pg_roles r where r.rolname = ${escapeLiteral(role)} and pg_has_role(r.oid, 'member')
      and ${HAS_ITS_RIGHTS}) as ready`;

export const prepareRole = (role: string): string => `
  do $$
  declare ${DECLARE_OWN}
  begin
    ${TAKE_TURNS}
    begin
      create role ${escapeIdentifier(role)} nologin;
    exception
      -- It may have been made for us, by somebody who may.
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
 * The rights of a login that only serves. It sees when the transactions of others began, where we may let it: lists
 * rely on none being old.
 */
export const grantToServer = (login: string): string => `
  do $$
  declare ${DECLARE_OWN}
  begin
    ${TAKE_TURNS}
    ${giveRights(login)}
    begin
      grant pg_read_all_stats to ${escapeIdentifier(login)};
    exception when insufficient_privilege then null;
    end;
  end $$`;

/** On a server of our own. It is given what PostgreSQL keeps of the password. */
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

/** Whether the schema belongs to somebody else. */
export const isVisitor = `
  select exists (
    select from pg_class c where c.oid = to_regclass('migrations') and not pg_has_role(c.relowner, 'usage')) as value`;

/** What is left to do where no role can be made. A superuser is not bound by it. */
export const protectFromOwner = `
  revoke update, delete, truncate on ${APPENDED} from current_user`;

export const tryRole = (role: string): string =>
  `begin; set local role ${escapeIdentifier(role)}; select 1 from programs limit 1; rollback`;

/** The version as a number that can be compared, and as its name. */
export const serverVersion = `
  select current_setting('server_version_num')::int as number, current_setting('server_version') as name`;

/**
 * PostgreSQL takes a disk for a slow one until told otherwise, and would then rather read and sort all rows of a small program
 * than follow an index to the newest few. For our sessions only, and only where nobody has chosen. Two servers that
 * start together may stumble over each other here; one of them does it.
 */
export const preferIndexes = `
  do $$ begin
    if (select source from pg_settings where name = 'random_page_cost') = 'default' then
      execute format('alter role %I in database %I set random_page_cost = 1.1', session_user, current_database());
    end if;
  exception when others then null;
  end $$`;

/** What an operator must know of a server. The settings are those of our own sessions. */
export const serverFacts = `
  select current_setting('server_version_num')::int as "versionNumber", current_setting('server_version') as version,
         current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit",
         current_setting('full_page_writes') as "fullPageWrites", pg_is_in_recovery() as standby,
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

export const ping = { text: 'select 1' };

/** The clock that all servers share, in milliseconds. */
export const databaseTime = { text: 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms' };

/** The catalog as text, one line per column, constraint and index; the same on every PostgreSQL from 15 on. */
export const dumpSchema = `
  with tables as (
    select c.oid, c.relname
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('migrations', 'migration_checksums')
  )
  select t.relname as table_name, 1 as part, a.attnum::int as place,
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
  select t.relname, 3, 0, format('partition by %s', pg_get_partkeydef(t.oid))
  from tables t where pg_get_partkeydef(t.oid) is not null
  union all
  select t.relname, 4, 0, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
  from tables t join pg_index i on i.indrelid = t.oid
  where not exists (select from pg_constraint o where o.conindid = i.indexrelid and o.contype in ('p', 'u', 'x'))
  order by table_name, part, place, line`;

/** A lock of the session, not of a transaction: only the embedded database is used this way, and never through a pooler. */
export const claimDataDir = "select pg_try_advisory_lock(hashtext('emboss server')) as claimed";

export const countOtherSessions = `
  select count(*)::int as others from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
