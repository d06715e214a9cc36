import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distribute } from '../../../src/db/citus/distribute.ts';
import { queryableOf, withClient } from '../../../src/db/connection.ts';
import { MIGRATIONS_DIR, migrate } from '../../../src/db/migrate.ts';
import { refusal } from '../scripts/refusal.ts';
import { createServer, type InstalledPostgres, initialize, NOT_DURABLE } from './installed-postgres.ts';

export const CITUS_SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '500',
  max_prepared_transactions: '300',
  // Citus runs one of them for each database.
  max_worker_processes: '400',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.propagate_set_commands': 'local',
  // Tests delay statements by triggers.
  'citus.enable_unsafe_triggers': 'on',
};

export function requireCitus(binDir: string): void {
  const config = join(binDir, 'pg_config');
  const shared = existsSync(config) ? execFileSync(config, ['--sharedir'], { encoding: 'utf8' }).trim() : '';
  if (!existsSync(join(shared, 'extension', 'citus.control')))
    throw refusal(`Citus is not installed for the PostgreSQL in ${binDir}; docs/cluster.md describes how`);
}

/** One server that is coordinator and only worker. With TEST_POSTGRES_LOG, a directory, the server logs there. */
export async function startCitus(binDir: string): Promise<InstalledPostgres> {
  const logs = process.env['TEST_POSTGRES_LOG'];
  const settings = {
    ...CITUS_SETTINGS,
    ...NOT_DURABLE,
    ...(logs && { logging_collector: 'on', log_directory: logs }),
  };
  const server = await createServer(binDir, settings, async (dataDir) => {
    await initialize(binDir, dataDir);
    trustAll(dataDir);
  });
  await allowMoves(server.url);
  return server;
}

/** A server connects to itself and to others as the role of a transaction, which has no password. */
export const trustAll = (dataDir: string): void =>
  writeFileSync(join(dataDir, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n');

/** Only newer releases have this setting, and refuse to split and move shards without it. */
export const allowMoves = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    const { rows } = await client.query("select from pg_settings where name = 'output_plugin_libraries'");
    if (rows.length === 0) return;
    await client.query('alter system set output_plugin_libraries = citus, pgoutput');
    await client.query('select pg_reload_conf()');
  });

const SHARDS = 4;
const FIRST_MIGRATION = '000001_baseline.sql';

/**
 * Distributes the first schema and then applies the later migrations, as the upgrade of a cluster does. Then closes the
 * database to connections: Citus's own would keep it from being cloned.
 */
export async function prepareCitusTemplate(
  { url, port }: InstalledPostgres,
  templateUrl: string,
): Promise<void> {
  await migrateFirst(templateUrl);
  await withClient(templateUrl, async (client) => {
    await client.query('create extension citus');
    await client.query(`select citus_set_coordinator_host('127.0.0.1', ${port})`);
    await client.query(`select citus_set_node_property('127.0.0.1', ${port}, 'shouldhaveshards', true)`);
    await distribute(queryableOf(client), SHARDS);
  });
  await migrate(templateUrl);
  const name = new URL(templateUrl).pathname.slice(1);
  await withClient(url, async (client) => {
    await client.query(`alter database ${name} allow_connections false`);
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  });
}

async function migrateFirst(url: string): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'emboss-first-'));
  try {
    cpSync(join(MIGRATIONS_DIR, FIRST_MIGRATION), join(dir, FIRST_MIGRATION));
    await migrate(url, { dir });
  } finally {
    rmSync(dir, { recursive: true });
  }
}
