import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../../src/db/embedded/supervisor.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { isNeeded } from '../scripts/projects.ts';
import { prepareCitusTemplate, requireCitus, startCitus } from './citus.ts';
import { createDatabase, sql, TEMPLATE, urlOf } from './database.ts';
import { createServer, installedPostgres, NOT_DURABLE } from './installed-postgres.ts';
import { isCitusRun } from './on-citus.ts';
import { chosenPooler, startPooler } from './pooler.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** For what only an administrator does, such as making databases. */
    serverUrl: string;
    /** The product's URL of its databases: the same server, maybe through a pooler. */
    databasesUrl: string;
  }
}

/**
 * One real PostgreSQL for the run, with a migrated template; each test file clones its own database from it. The first
 * project with a file in the run starts it, for all.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = project.vitest.getRootProject();
  if (run.getProvidedContext().serverUrl || !isNeeded(project, 'postgres')) return;
  // A missing requirement is reported before anything runs.
  const poolerVersion = chosenPooler(process.env['TEST_POOLER']);
  const onCitus = isCitusRun();
  const chosen = process.env['TEST_POSTGRES'] || (onCitus ? 'installed' : undefined);
  const binDir = chosen && installedPostgres(chosen);
  if (onCitus && binDir) requireCitus(binDir);
  const ends: Array<() => unknown> = [];
  const teardown = async () => {
    for (let end = ends.pop(); end; end = ends.pop()) await end();
  };
  try {
    const citus = onCitus && binDir ? await startCitus(binDir) : undefined;
    const postgres = citus ?? (await (binDir ? createServer(binDir, SETTINGS) : startEmbedded(ends)));
    ends.push(postgres.stop);
    const { username, password } = new URL(postgres.url);
    // Half of a client's CPU time for a connection is its proof of the password. PostgreSQL 15 has no such setting.
    await sql(
      postgres.url,
      `select set_config(name, '1', false) from pg_settings where name = 'scram_iterations';
       alter role ${username} password '${password}'`,
    );
    await createDatabase(postgres.url, TEMPLATE);
    const templateUrl = urlOf(postgres.url, TEMPLATE);
    await (citus ? prepareCitusTemplate(citus, templateUrl) : migrate(templateUrl));
    const pooler = poolerVersion ? await startPooler(postgres.url, poolerVersion) : undefined;
    if (pooler) ends.push(pooler.stop);
    run.provide('serverUrl', postgres.url);
    run.provide('databasesUrl', pooler?.url ?? postgres.url);
    // Also for those that are no tests: scripts that start servers.
    if (pooler && !pooler.namedStatements) process.env['TEST_NAMED_STATEMENTS'] = 'false';
    await printVersions(postgres.url, binDir || 'embedded', poolerVersion);
  } catch (error) {
    // Vitest does not call the teardown of a failed set-up.
    await teardown();
    throw error;
  }
  return teardown;
}

/** Rarely a checkpoint and no vacuum: each has work for every database that a file has left. */
const SETTINGS = {
  ...NOT_DURABLE,
  max_connections: '300',
  autovacuum: 'off',
  checkpoint_timeout: '30min',
  max_wal_size: '2GB',
};

async function startEmbedded(ends: Array<() => unknown>): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'emboss-test-'));
  ends.push(() => rmSync(dataDir, { recursive: true, force: true }));
  return startEmbeddedPostgres({ dataDir, log: () => {}, settings: SETTINGS });
}

async function printVersions(serverUrl: string, origin: string, poolerVersion?: string): Promise<void> {
  const [row] = await sql<{ server_version: string }>(serverUrl, 'show server_version');
  const through = poolerVersion ? ` through PgBouncer ${poolerVersion}` : '';
  process.stdout.write(`tests run on PostgreSQL ${row?.server_version} (${origin})${through}\n`);
}
