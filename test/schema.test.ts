import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { MIGRATIONS_DIR, migrate } from '../src/db/migrate.ts';
import { schemaDump } from '../src/db/schema-dump.ts';
import { distributionFaults, GLOBAL_TABLES, RUNNER_TABLES, tableNames } from './support/catalog.ts';
import { createDatabase, freshDatabase, sql, urlOf } from './support/database.ts';

const migrationNames = readdirSync(MIGRATIONS_DIR)
  .filter((name) => name !== 'schema.sql')
  .map((name) => name.replace(/\.sql$/, ''))
  .sort();

async function emptyDatabase(): Promise<string> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await createDatabase(inject('serverUrl'), name);
  return urlOf(inject('serverUrl'), name);
}

test('migrations/schema.sql is the schema that the migrations make', async () => {
  const written = readFileSync(join(MIGRATIONS_DIR, 'schema.sql'), 'utf8');
  expect(await schemaDump(await freshDatabase()), 'run "npm run schema"').toBe(written);
});

describe('the schema is ready to be spread by program', () => {
  let url: string;
  beforeAll(async () => {
    url = await freshDatabase();
  });

  test('every key, unique index and foreign key of a program table carries program_id', async () => {
    expect(await distributionFaults(url)).toEqual([]);
    const tables = await tableNames(url);
    expect(tables).toEqual(
      expect.arrayContaining([...GLOBAL_TABLES, ...RUNNER_TABLES, 'cards', 'vault_records']),
    );
    expect(tables.length).toBeGreaterThan(GLOBAL_TABLES.length + RUNNER_TABLES.length + 8);
  });

  test.each([
    [
      'create table stray (id uuid primary key)',
      ['stray has no program_id uuid not null', 'stray: unique stray_pkey lacks program_id'],
    ],
    ['create table stray (program_id uuid not null, id uuid)', ['stray has no primary key']],
    ['create unique index stray on cards (cardholder_id)', ['cards: unique stray lacks program_id']],
    [
      'create table stray (program_id uuid, id uuid, primary key (program_id, id), card_program uuid, card_id uuid, constraint astray foreign key (card_program, card_id) references cards (program_id, id))',
      ['stray: astray does not carry program_id'],
    ],
    [
      'alter table programs add first_card uuid, add home uuid, add constraint home foreign key (home, first_card) references cards (program_id, id)',
      ['programs, which is on every node, points at cards, which is not'],
    ],
    ['create sequence stray', ['stray is a sequence']],
    [
      'alter table cards add number int generated always as identity',
      ['cards.number is an identity column', 'cards_number_seq is a sequence'],
    ],
    [
      'create trigger stray before update on cards for each row execute function suppress_redundant_updates_trigger()',
      ['cards has the trigger stray'],
    ],
  ])('and the catalog check would see: %s', async (change, faults) => {
    expect(await distributionFaults(url, change)).toEqual(faults);
  });
});

describe('migrations', () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  /** `migrate` in a process of its own. It prints what it applied. */
  function migrateInChild(url: string): {
    child: ChildProcess;
    ended: Promise<{ code: number | null; out: string }>;
  } {
    const script = `
      import { migrate } from ${JSON.stringify(new URL('../src/db/migrate.ts', import.meta.url).href)};
      process.stdout.write(JSON.stringify(await migrate(process.argv[1])));`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    let out = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out }));
    return { child, ended };
  }

  test('two processes that start on an empty database both succeed, and each file runs once', async () => {
    const url = await emptyDatabase();
    const ends = await Promise.all([migrateInChild(url).ended, migrateInChild(url).ended]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(ends.flatMap(({ out }) => JSON.parse(out)).sort()).toEqual(migrationNames);
    expect(await schemaDump(url)).toBe(await schemaDump(await freshDatabase()));
  });

  test('run again, they find nothing to do', async () => {
    expect(await migrate(await freshDatabase())).toEqual([]);
  });

  test('a file that was edited after it ran is refused', async () => {
    const url = await freshDatabase();
    await sql(url, "update migration_checksums set sha256 = 'other' where name = '000002_journal'");
    await expect(migrate(url)).rejects.toThrow(
      'migrations/000002_journal.sql was edited after it was applied',
    );
  });

  test('a database that a newer release has migrated further is accepted', async () => {
    const url = await freshDatabase();
    await sql(url, "insert into migration_checksums values ('900000_later', 'any')");
    await sql(url, "insert into migrations (name, run_on) values ('900000_later', now())");
    expect(await migrate(url)).toEqual([]);
  });

  test('killed half way they leave nothing, and the next start does it all', async () => {
    const url = await emptyDatabase();
    // A table of the same name that is not committed yet makes the last migration wait, with all others done.
    const blocker = new pg.Client({ connectionString: url });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('create table cards ()');
    const { child, ended } = migrateInChild(url);
    const waiting =
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await vi.waitFor(async () => expect(await sql(url, waiting)).toHaveLength(1), {
      timeout: 20_000,
      interval: 20,
    });
    child.kill('SIGKILL');
    await ended;
    await blocker.query('rollback');
    await blocker.end();
    await vi.waitFor(async () => expect(await sql(url, waiting)).toHaveLength(0), {
      timeout: 20_000,
      interval: 20,
    });
    const left = await tableNames(url);
    expect(left.filter((name) => !RUNNER_TABLES.includes(name))).toEqual([]);
    expect(await migrate(url)).toEqual(migrationNames);
  });
});
