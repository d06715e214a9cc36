import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createDatabase, TEMPLATE, urlOf } from './database.ts';
import { createServer, installedPostgres } from './installed-postgres.ts';
import { startPooler } from './pooler.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** For what only an administrator does, such as making databases. */
    serverUrl: string;
    /** Where the product finds its databases: the same server, maybe through a pooler. */
    databasesUrl: string;
  }
}

/** One real PostgreSQL for the run, with a migrated template; each test file clones its own database from it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Some tests start the real command, which would otherwise build while they watch it.
  execFileSync(process.execPath, ['bin/setup.mjs'], { stdio: 'inherit' });
  const postgres = await startPostgres();
  await createDatabase(postgres.url, TEMPLATE);
  await migrate(urlOf(postgres.url, TEMPLATE));
  const pooler = process.env['TEST_POOLER'] ? await startPooler(postgres.url) : undefined;
  project.provide('serverUrl', postgres.url);
  project.provide('databasesUrl', pooler?.url ?? postgres.url);
  // Also for those that are no tests: scripts that start servers.
  if (pooler && !pooler.namedStatements) process.env['TEST_NAMED_STATEMENTS'] = 'false';
  return async () => {
    await pooler?.stop();
    await postgres.stop();
  };
}

const SETTINGS = { max_connections: '300' };

/** The embedded one, or with TEST_POSTGRES one that is installed: the directory of its programs, or any other word. */
async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const told = process.env['TEST_POSTGRES'];
  if (told) return createServer(installedPostgres(told), SETTINGS);
  const dataDir = mkdtempSync(join(tmpdir(), 'emboss-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: SETTINGS });
  return {
    url: postgres.url,
    stop: async () => {
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
