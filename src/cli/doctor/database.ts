import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALLATION_ID } from '../../audit/entry.ts';
import type { Config } from '../../config.ts';
import { isReached, readCluster, readClusterSettings } from '../../db/citus/cluster.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { startEmbeddedPostgres } from '../../db/embedded/supervisor.ts';
import { inspectMigrations, inspectServer, servesOnly } from '../../db/inspect.ts';
import { MINIMUM_VERSION } from '../../db/migrate.ts';
import { readMonthsEnd } from '../../db/months.ts';
import { addMonths, dayOf } from '../../kernel/calendar.ts';
import { reveal } from '../../kernel/secret.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const SKEW_WARN_MS = 1_000;
const SKEW_FAIL_MS = 30_000;
const MONTHS_NEEDED = 2;

export interface OpenedDatabase {
  db: Database;
  close(): Promise<void>;
}

/** Opens the database unchanged: runs no migration, and creates no embedded database. */
export async function openAsIs(config: Config): Promise<OpenedDatabase | undefined> {
  const embedded = config.databaseUrl ? undefined : await startExisting(config.dataDir);
  const url = config.databaseUrl ? reveal(config.databaseUrl) : embedded?.url;
  if (url === undefined) return undefined;
  const { namedStatements } = config;
  const db = openDatabase({ url, poolSize: 2, namedStatements, onIdleError: () => {} });
  return {
    db,
    close: async () => {
      await db.close();
      if (embedded?.started) await embedded.stop();
      else embedded?.release();
    },
  };
}

const startExisting = async (dataDir: string) =>
  existsSync(join(dataDir, 'postgres', 'PG_VERSION'))
    ? startEmbeddedPostgres({ dataDir, log: () => {} })
    : undefined;

export async function checkServer(db: Database): Promise<Finding[]> {
  // The first query includes the time to connect, which would count as skew.
  await inspectServer(db);
  const before = Date.now();
  const facts = await inspectServer(db);
  const after = Date.now();
  const findings = [
    facts.versionNumber >= MINIMUM_VERSION
      ? ok('database', `PostgreSQL ${facts.version} responds`)
      : fail('database', `PostgreSQL ${facts.version} is too old`, 'upgrade it to 15 or newer'),
    ...durability('fsync', facts.fsync !== 'off'),
    ...durability('synchronous_commit', facts.synchronousCommit !== 'off'),
    ...durability('full_page_writes', facts.fullPageWrites !== 'off'),
    clock(facts.now.getTime(), before, after),
  ];
  if (facts.standby)
    findings.push(
      fail('standby', 'the database is a read-only standby', 'point DATABASE_URL at the primary'),
    );
  return findings;
}

const durability = (setting: string, on: boolean): Finding[] => [
  on
    ? ok(setting, `${setting} is on`)
    : fail(setting, `${setting} is off: a crash can lose acknowledged transactions`, `set ${setting} = on`),
];

/** The database read its clock between our two readings; only a time outside of them is skew. */
function clock(databaseMs: number, before: number, after: number): Finding {
  const skewMs = Math.max(before - databaseMs, databaseMs - after, 0);
  const what = `the database's clock differs from the server's by ${(skewMs / 1000).toFixed(1)} s`;
  const remedy = 'synchronise both machines with NTP';
  if (skewMs > SKEW_FAIL_MS) return fail('clock', what, remedy);
  if (skewMs > SKEW_WARN_MS) return warn('clock', what, remedy);
  return ok('clock', 'the clocks of the server and the database agree');
}

/** For an external database only: the embedded one always has a separate login for the server. */
export async function checkLogin(config: Config, db: Database): Promise<Finding[]> {
  if (!config.databaseUrl) return [];
  return [
    (await servesOnly(db))
      ? ok('login', "the server's login cannot change the schema, the ledger or the audit")
      : warn(
          'login',
          "the server's login owns the schema",
          'use a separate login: docs/operate.md, "The database login"',
        ),
  ];
}

export async function checkMigrations(db: Database): Promise<Finding[]> {
  const { applied, pending, edited, unknown } = await inspectMigrations(db);
  const findings = edited.map((name) =>
    fail('migrations', `migrations/${name}.sql was edited after it was applied`, 'restore the file'),
  );
  if (pending.length > 0)
    findings.push(fail('schema', `not applied yet: ${pending.join(', ')}`, 'run "emboss migrate"'));
  if (unknown.length > 0)
    findings.push(
      warn(
        'migrations',
        `applied by a newer release: ${unknown.join(', ')}`,
        'upgrade this installation too',
      ),
    );
  return findings.length > 0 ? findings : [ok('migrations', `the schema is up to date (${applied.length})`)];
}

/** Only a start creates partitions, so a server that runs for months can reach the last one. */
export async function checkMonths(db: Database): Promise<Finding[]> {
  const today = dayOf((await inspectServer(db)).now.getTime());
  const end = await readMonthsEnd(db);
  return [
    end > addMonths(today, MONTHS_NEEDED)
      ? ok('months', `transaction partitions exist for dates before ${end}`)
      : warn('months', `there are no transaction partitions from ${end} on`, 'run "emboss migrate"'),
  ];
}

/** What a cluster needs beyond a single server. */
export async function checkCluster(db: Database): Promise<Finding[]> {
  const settings = await readClusterSettings(db);
  if (!settings) return [];
  const { nodes, distributed, undistributed, signInNode } = await readCluster(db, [], INSTALLATION_ID);
  const findings: Finding[] = [];
  if (undistributed.length > 0)
    findings.push(
      fail('cluster', `not distributed: ${undistributed.join(', ')}`, 'run "emboss cluster distribute"'),
    );
  for (const address of nodes) {
    const { node, active, prepared } = address;
    const problem = active
      ? prepared === null
        ? 'does not answer'
        : 'cannot be used from here'
      : 'is not active';
    if (!active || prepared === null || !(await isReached(db, address, INSTALLATION_ID)))
      findings.push(
        fail('cluster', `node ${node} ${problem}: its programs are unavailable`, 'see docs/cluster.md'),
      );
  }
  if (signInNode)
    findings.push(
      warn(
        'cluster',
        `node ${signInNode} stores the audit of the installation: no operator can sign in while it is down`,
        'run "emboss cluster distribute"',
      ),
    );
  if (Number.parseInt(settings.recoverInterval, 10) < 0)
    findings.push(
      fail(
        'cluster',
        'citus.recover_2pc_interval is off: transactions that lost their coordinator keep their locks',
        'set citus.recover_2pc_interval = 1min',
      ),
    );
  if (settings.propagated !== 'local')
    findings.push(
      warn(
        'cluster',
        'citus.propagate_set_commands is not local: the time limit for locks does not reach the nodes',
        'run "emboss cluster distribute"',
      ),
    );
  if (settings.blocking.length > 0)
    findings.push(
      warn(
        'cluster',
        `wal_level is not logical on ${settings.blocking.join(' and ')}: programs there cannot be used while they move`,
        'set wal_level = logical on every node',
      ),
    );
  if (findings.length > 0) return findings;
  return [ok('cluster', `${distributed} tables are distributed over ${nodes.length} nodes, and all answer`)];
}
