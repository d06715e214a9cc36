import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationBuilder } from 'node-pg-migrate';
import type pg from 'pg';
import { releasePath } from '../kernel/release-path.ts';
import { readyApplicationRole } from './application-role.ts';
import { distribute, findUndistributed, isCluster } from './citus/distribute.ts';
import { workInSequence } from './citus/queries.ts';
import { connect, queryableOf } from './connection.ts';
import { prepareMonths } from './months.ts';
import {
  insertChecksums,
  listChecksums,
  prepareChecksums,
  ROLLBACK,
  serverVersion,
  takeTurn,
} from './queries.ts';
import { splitStatements } from './split-statements.ts';

export const MIGRATIONS_DIR = releasePath('migrations');

const MIGRATION_FILE = /^\d{6}_[a-z_]+\.sql$/;
export const MINIMUM_VERSION = 150_000;

export interface Migrated {
  /** Names of the migrations applied by this call. */
  applied: string[];
  /** The role of transactions; undefined if the server does not allow us to create it. */
  role: string | undefined;
  /** Whether the partitions of the coming months exist; if not, the next start or "emboss migrate" tries again. */
  monthsMade: boolean;
}

export interface MigrateOptions {
  /** Waits for busy tables when it creates the partitions of the coming months. */
  patiently?: boolean;
  /** Where the migration files are. */
  dir?: string;
}

/**
 * Migrates the database to the newest schema. Processes that start together take turns. A file that was edited after it
 * ran is refused, because database and repository would differ.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<Migrated> {
  const turn = await connect(url);
  try {
    // A transaction lock, unlike the runner's own session lock, which a pooler would never release.
    await turn.query(takeTurn);
    return await migrateInTurn(url, options);
  } finally {
    await turn.query(ROLLBACK).catch(() => {});
    await turn.end();
  }
}

async function migrateInTurn(
  url: string,
  { patiently = false, dir = MIGRATIONS_DIR }: MigrateOptions,
): Promise<Migrated> {
  const client = await connect(url);
  try {
    await requireVersion(client);
    const onDisk = await readChecksums(dir);
    await client.query(prepareChecksums);
    const known = await readApplied(client, onDisk);
    const applied = [...onDisk.keys()].every((name) => known.has(name))
      ? []
      : await apply(client, dir, onDisk);
    // New tables of a cluster: without this they would stay on one node.
    const db = queryableOf(client);
    const isChanged = applied.length > 0 && (await isCluster(db));
    if (isChanged || (await findUndistributed(db)).length > 0) await distribute(db);
    const monthsMade = await prepareMonths(client, { patiently });
    const role = await readyApplicationRole(client);
    return { applied, role, monthsMade };
  } finally {
    await client.end();
  }
}

/** Loads the runner only when it is needed: most starts have nothing to apply. */
async function apply(client: pg.Client, dir: string, onDisk: Map<string, string>): Promise<string[]> {
  const { runner } = await import('node-pg-migrate');
  const applied = await runner({
    dbClient: client,
    dir,
    ignorePattern: '(?!\\d{6}_).*',
    migrationLoaderStrategies: [
      { extensions: ['.sql'], loader: (paths) => Promise.all(paths.map(loadFile)) },
    ],
    direction: 'up',
    migrationsTable: 'migrations',
    checkOrder: true,
    singleTransaction: true,
    noLock: true,
    log: () => {},
  });
  await client.query(insertChecksums, [[...onDisk.keys()], [...onDisk.values()]]);
  return applied.map(({ name }) => name);
}

/**
 * Each statement is sent alone: a distributed table refuses most changes if the message contains another statement. A
 * single server accepts the setting of a cluster and ignores it.
 */
async function loadFile(path: string) {
  const statements = splitStatements(await readFile(path, 'utf8'));
  const up = (steps: MigrationBuilder): void => {
    steps.sql(workInSequence);
    for (const statement of statements) steps.sql(statement);
  };
  return { id: path, filePaths: [path], actions: { up } };
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string }>(serverVersion);
  if (Number(rows[0]?.number) < MINIMUM_VERSION)
    throw new Error(`PostgreSQL 15 or newer is required; this server runs ${rows[0]?.name}`);
}

export async function readChecksums(dir = MIGRATIONS_DIR): Promise<Map<string, string>> {
  const names = (await readdir(dir)).filter((name) => /^\d.*\.sql$/.test(name)).sort();
  for (const name of names)
    if (!MIGRATION_FILE.test(name))
      throw new Error(`migrations/${name} must be named like 000001_some_words.sql`);
  const entries = names.map(async (name) => {
    const text = await readFile(join(dir, name));
    return [name.replace(/\.sql$/, ''), createHash('sha256').update(text).digest('hex')] as const;
  });
  return new Map(await Promise.all(entries));
}

/** The names of the applied migrations. Refuses a file that was edited after it was applied. */
async function readApplied(client: pg.Client, onDisk: Map<string, string>): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(listChecksums);
  for (const { name, sha256 } of rows) {
    // A name without a file belongs to a newer release that shares this database during a rollout.
    if (onDisk.has(name) && onDisk.get(name) !== sha256)
      throw new Error(`migrations/${name}.sql was edited after it was applied; add a new migration instead`);
  }
  return new Set(rows.map(({ name }) => name));
}
