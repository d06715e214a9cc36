// `npm run schema`: writes migrations/schema.sql from a database that all migrations have just made.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../src/db/embedded/supervisor.ts';
import { MIGRATIONS_DIR, migrate } from '../../../src/db/migrate.ts';
import { schemaDump } from '../../../src/db/schema-dump.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'emboss-schema-'));
try {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  try {
    await migrate(postgres.url);
    writeFileSync(join(MIGRATIONS_DIR, 'schema.sql'), await schemaDump(postgres.url));
  } finally {
    await postgres.stop();
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
