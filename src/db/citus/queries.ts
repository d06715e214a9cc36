import { escapeIdentifier, escapeLiteral } from 'pg';

/** Statements for a cluster: PostgreSQL servers with the Citus extension. All but the first need the extension. */

export const hasCitus = `
  select exists (select from pg_extension where extname = 'citus') as value`;

/**
 * The tables to distribute: those with the program in their key. The others stay on the coordinator, so that programs,
 * keys, operators and the cards of card numbers are found whatever node is down.
 */
const CLUSTER_TABLES = `
  select c.oid, c.relname as name,
         exists (select from pg_dist_partition d where d.logicalrelid = c.oid and d.partmethod = 'h') as done
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and exists (
      select from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
      where k.conrelid = c.oid and k.contype = 'p' and a.attname = 'program_id')`;

/** Distributed tables first. */
export const listClusterTables = `select name, done from (${CLUSTER_TABLES}) t order by done desc, name`;

/**
 * Foreign keys that touch a table which is not distributed yet. Citus allows them between distributed tables only, so
 * those to a table of the coordinator (`toLocal`) are dropped.
 */
export const listForeignKeys = `
  with tables as (${CLUSTER_TABLES})
  select k.conrelid::regclass::text as "table", k.conname as name, pg_get_constraintdef(k.oid) as definition,
         not exists (select from tables where oid = k.confrelid) as to_local
  from pg_constraint k
  where k.contype = 'f' and k.conparentid = 0 and exists (select from tables where not done and oid in (k.conrelid, k.confrelid))
  order by 1, 2`;

export const dropForeignKey = (table: string, name: string): string =>
  `alter table ${table} drop constraint ${escapeIdentifier(name)}`;
export const addForeignKey = (table: string, name: string, definition: string): string =>
  `alter table ${table} add constraint ${escapeIdentifier(name)} ${definition}`;

/** Parallel connections could not see the rights and keys that the same transaction changes. */
export const workInSequence = "set local citus.multi_shard_modify_mode = 'sequential'";
export const setShards = (shards: number): string => `set local citus.shard_count = ${Math.trunc(shards)}`;

export const distributeTable =
  "select create_distributed_table($1::regclass, 'program_id', colocate_with => $2)";
/** After Citus has copied rows to the shards, the coordinator's tables still contain them, invisibly. */
export const listTablesWithRemains = `
  select name from (${CLUSTER_TABLES}) t
  where done and exists (select from pg_partition_tree(t.oid) part where pg_relation_size(part.relid) > 0) order by name`;
export const allowTruncate = (table: string): string =>
  `grant truncate on ${escapeIdentifier(table)} to current_user`;
export const dropRemains = 'select truncate_local_data_after_distributing_table($1::regclass)';

/** Whether this login owns the database and its tables. */
export const isOwner = `
  select pg_has_role(d.datdba, 'usage') and not exists (
           select from (${CLUSTER_TABLES}) t join pg_class c on c.oid = t.oid where not pg_has_role(c.relowner, 'usage')) as value
  from pg_database d where d.datname = current_database()`;

/**
 * Settings of all sessions: the time limits of a transaction reach the nodes, a statement over all shards queries each node
 * on one connection instead of one for each shard, and a silent node is noticed before our own time limits end.
 */
export const clusterSessions = (database: string): string[] =>
  [
    "citus.propagate_set_commands = 'local'",
    'citus.max_adaptive_executor_pool_size = 1',
    'citus.node_connection_timeout = 2000',
    // A commit that a node has not finished is known by a warning.
    'client_min_messages = warning',
  ].map((setting) => `alter database ${escapeIdentifier(database)} set ${setting}`);
export const currentDatabase = 'select current_database()::text as value';

/** The nodes, with their shards and how many of the given programs are there. */
export const listNodes = `
  with homes as (
    select s.groupid, count(*)::int as programs
    from unnest($1::uuid[]) as program (id)
    join pg_dist_placement s on s.shardid = get_shard_id_for_distribution_column('cards', program.id)
    group by s.groupid)
  select n.nodename || ':' || n.nodeport as node, n.nodename as name, n.nodeport as port, n.isactive as active,
         (select count(*)::int from pg_dist_placement s where s.groupid = n.groupid) as shards,
         coalesce((select h.programs from homes h where h.groupid = n.groupid), 0) as programs
  from pg_dist_node n where n.noderole = 'primary' order by n.nodeid`;

/** How many unfinished transactions each node has prepared; null if the node does not answer. */
export const countPrepared = `
  select n.nodename || ':' || n.nodeport as node, case when r.success then r.result::int end as count
  from run_command_on_all_nodes(
         'select count(*) from pg_prepared_xacts where database = current_database()',
         give_warning_for_connection_errors => true) r
  join pg_dist_node n on n.nodeid = r.nodeid order by n.nodeid`;

/** For the node itself: whether it prepared an unfinished transaction at least so many milliseconds ago. */
export const findPrepared = `
  select exists (
    select from pg_prepared_xacts
    where database = current_database() and prepared <= clock_timestamp() - $1 * interval '1 millisecond') as value`;

/** The node of a program, and whether its shards hold no other program. */
export const findHome = `
  select s.shardid::text as shard, n.nodename as name, n.nodeport as port,
         h.shardminvalue = h.shardmaxvalue as alone
  from pg_dist_placement s join pg_dist_shard h on h.shardid = s.shardid
  join pg_dist_node n on n.groupid = s.groupid and n.noderole = 'primary'
  where s.shardid = get_shard_id_for_distribution_column('cards', $1::uuid)`;

/** The shards of a program, one for each table, and their node. */
export const findShards = `
  select c.relname as "table", s.shardid::text as shard, n.nodename as name, n.nodeport as port
  from pg_dist_partition p
  join pg_class c on c.oid = p.logicalrelid and not c.relispartition
  join pg_dist_placement s on s.shardid = get_shard_id_for_distribution_column(p.logicalrelid, $1::uuid)
  join pg_dist_node n on n.groupid = s.groupid and n.noderole = 'primary'
  where p.colocationid = (select colocationid from pg_dist_partition where logicalrelid = 'cards'::regclass)
  order by c.relname`;

/**
 * Takes the lock that Citus takes for a write, so that the program neither moves nor is split from others before the
 * transaction ends. Returns its shard of `cards` if this server stores it. Only the owner of the tables may take
 * the lock. `pg_temp` comes last, or a caller's own tables would be read with the owner's rights.
 */
export const createHoldHome = `
  create or replace function hold_home(program uuid) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  declare shard bigint := get_shard_id_for_distribution_column('public.cards', program);
  begin
    perform lock_shard_metadata(5, array[shard]);
    if not exists (select from pg_dist_shard s where s.shardid = shard) then
      raise serialization_failure using message = 'the shard was split';
    end if;
    return (
      select s.shardid from pg_dist_placement s join pg_dist_local_group g on g.groupid = s.groupid
      where s.shardid = shard);
  end $$`;
/** It runs with the owner's rights, so only servers may call it: `giveRights` in queries.ts. */
export const closeHoldHome = 'revoke execute on function hold_home(uuid) from public';
export const holdHome = { name: 'hold_home', text: 'select hold_home($1)::text as shard' };

/** For connections to a node: statements may name shards. */
export const NODE_SETTINGS = '-c citus.enable_manual_changes_to_shards=on';

/** With `auto` while programs are in use, which needs wal_level = logical. With `block_writes` writes wait. */
export type MoveMode = 'auto' | 'block_writes';

/** Moves a shard and all that hold the same programs. */
export const moveShard =
  'select citus_move_shard_placement($1::bigint, $2, $3::int, $4, $5::int, $6::citus.shard_transfer_mode)';

/** Gives a program shards of its own, on its node. */
export const isolateProgram = (programId: string, mode: MoveMode): string =>
  `select isolate_tenant_to_new_shard('cards', ${escapeLiteral(programId)}::uuid, 'CASCADE', '${mode}')::text as shard`;

/** Whether a node may be given shards. */
export const letHaveShards = "select citus_set_node_property($1, $2::int, 'shouldhaveshards', $3)";

export const findCoordinator = `
  select nodename as name, nodeport as port, shouldhaveshards as has_shards from pg_dist_node where groupid = 0`;

/** How many of the given programs share the shards of a program. */
export const countNeighbours = `
  select count(*)::int as value from unnest($2::uuid[]) as program (id)
  where get_shard_id_for_distribution_column('cards', program.id) = get_shard_id_for_distribution_column('cards', $1::uuid)
    and program.id <> $1::uuid`;

/** Settings that decide whether a cluster recovers by itself. */
export const clusterSettings = `
  select current_setting('citus.recover_2pc_interval') as recover_interval,
         current_setting('citus.propagate_set_commands') as "propagated"`;

/** Nodes from which programs cannot move while in use. */
export const listBlockingNodes = `
  select n.nodename || ':' || n.nodeport as node
  from run_command_on_all_nodes('show wal_level', give_warning_for_connection_errors => true) r
  join pg_dist_node n on n.nodeid = r.nodeid where r.success and r.result <> 'logical' order by n.nodeid`;
