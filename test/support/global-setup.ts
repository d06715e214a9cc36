import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createDatabase, TEMPLATE, urlOf } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string;
  }
}

/** One real PostgreSQL for the run, with a migrated template; each test file clones its own database from it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Some tests start the real command, which would otherwise build while they watch it.
  execFileSync(process.execPath, ['bin/setup.mjs'], { stdio: 'inherit' });
  const dataDir = mkdtempSync(join(tmpdir(), 'emboss-test-'));
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    settings: { max_connections: '300' },
  });
  await createDatabase(postgres.url, TEMPLATE);
  await migrate(urlOf(postgres.url, TEMPLATE));
  project.provide('serverUrl', postgres.url);
  return async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
