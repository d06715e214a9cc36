import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { MIGRATIONS_DIR, type Migrated, migrate } from '../src/db/migrate.ts';
import { prepareChecksums } from '../src/db/queries.ts';
import { schemaDump } from '../src/db/schema-dump.ts';
import { distributionFaults, GLOBAL_TABLES, RUNNER_TABLES, tableNames } from './support/database/catalog.ts';
import { applicationRole, createDatabase, freshDatabase, sql, urlOf } from './support/database/database.ts';
import { startDatabaseProxy } from './support/database/database-proxy.ts';

const migrationNames = readdirSync(MIGRATIONS_DIR)
  .filter((name) => name !== 'schema.sql')
  .map((name) => name.replace(/\.sql$/, ''))
  .sort();

async function emptyDatabase(): Promise<string> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await createDatabase(inject('serverUrl'), name);
  return urlOf(inject('serverUrl'), name);
}

test('migrations/schema.sql is the schema that the migrations create', async () => {
  const written = readFileSync(join(MIGRATIONS_DIR, 'schema.sql'), 'utf8');
  expect(await schemaDump(await freshDatabase()), 'run "npm run schema"').toBe(written);
});

describe('the schema is ready to be distributed by program', () => {
  let url: string;
  beforeAll(async () => {
    url = await freshDatabase();
  });

  test('every key, unique index and foreign key of a program table contains program_id', async () => {
    expect(await distributionFaults(url)).toEqual([]);
    const tables = await tableNames(url);
    expect(tables).toEqual(
      expect.arrayContaining([
        ...GLOBAL_TABLES,
        ...RUNNER_TABLES,
        'cards',
        'ledger_transfers',
        'transactions',
      ]),
    );
    expect(tables.length).toBeGreaterThan(GLOBAL_TABLES.length + RUNNER_TABLES.length + 16);
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
      ['programs, which is on the coordinator, points at cards, which is not'],
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
  ])('the check of the catalog detects: %s', async (change, faults) => {
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
    const outcomes = ends.map(({ out }): Migrated => JSON.parse(out));
    expect(outcomes.flatMap(({ applied }) => applied).sort()).toEqual(migrationNames);
    expect(outcomes.map(({ role }) => role)).toEqual([roleOf(url), roleOf(url)]);
    expect(await schemaDump(url)).toBe(await schemaDump(await freshDatabase()));
  });

  test('many processes can prepare the same empty database at the same time', async () => {
    const url = await emptyDatabase();
    const clients = Array.from({ length: 6 }, () => new pg.Client({ connectionString: url }));
    await Promise.all(clients.map((client) => client.connect()));
    try {
      for (let round = 0; round < 40; round++) {
        await Promise.all(clients.map((client) => client.query(prepareChecksums)));
        await clients[0]?.query('drop table migration_checksums');
      }
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  });

  test('a start waits for a database that is starting', async () => {
    const url = await freshDatabase();
    const proxy = await startDatabaseProxy(url);
    proxy.startUp(3);
    expect(await migrate(proxy.url)).toEqual({ monthsMade: true, applied: [], role: roleOf(url) });
    await proxy.close();
    await expect(migrate(proxy.url)).rejects.toThrow('ECONNREFUSED');
  });

  test('a second run finds nothing to do', async () => {
    const url = await freshDatabase();
    expect(await migrate(url)).toEqual({ monthsMade: true, applied: [], role: roleOf(url) });
  });

  test('a file that was edited after it ran is refused', async () => {
    const url = await freshDatabase();
    await sql(url, "update migration_checksums set sha256 = 'other' where name = '000001_baseline'");
    await expect(migrate(url)).rejects.toThrow(
      'migrations/000001_baseline.sql was edited after it was applied',
    );
  });

  test('a database with migrations of a newer release is accepted', async () => {
    const url = await freshDatabase();
    await sql(url, "insert into migration_checksums values ('900000_later', 'any')");
    await sql(url, "insert into migrations (name, run_on) values ('900000_later', now())");
    expect(await migrate(url)).toEqual({ monthsMade: true, applied: [], role: roleOf(url) });
  });

  test('a killed migration leaves nothing, and the next start applies all', async () => {
    const url = await emptyDatabase();
    // An uncommitted table of the same name stops the migration half way.
    const blocker = new pg.Client({ connectionString: url });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('create table webhook_endpoints ()');
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
    expect(await migrate(url)).toEqual({ monthsMade: true, applied: migrationNames, role: roleOf(url) });
  });
});

/** Each database has a role of its own. */
const roleOf = (url: string): string => `emboss_app_${new URL(url).pathname.slice(1)}`;

describe('transfers and audit entries cannot be rewritten', () => {
  const PAST = ['ledger_transfers', 'audit_entries', 'audit_links', 'authentication_attempts'];
  const LOOKED_AT = ['migrations', 'migration_checksums'];
  const SHORT_LIVED = [
    'audit_unlinked',
    'card_fingerprints',
    'card_labels',
    'card_search_words',
    'clearing_uploads',
    'decision_endpoints',
    'hourly_totals',
    'idempotency_records',
    'notification_webhooks',
    'notifications',
    'operator_invitations',
    'operator_recovery_codes',
    'operator_sessions',
    'rule_entries',
    'rule_lists',
    'reveal_sessions',
    'saved_views',
    'search_spellings',
    'sign_in_attempts',
    'transaction_labels',
  ];
  const ROWS: Record<string, string> = {
    ledger_transfers: `insert into ledger_transfers
        (program_id, id, movement_id, code, debit_account_id, credit_account_id, amount_minor, created_at)
      values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'hold', gen_random_uuid(), gen_random_uuid(), 5, now())`,
    audit_entries: `insert into audit_entries (program_id, id, actor, action, created_at)
      values (gen_random_uuid(), gen_random_uuid(), 'test', 'test', now())`,
    audit_links: `insert into audit_links (program_id, position, entry_id, hash)
      values (gen_random_uuid(), 1, gen_random_uuid(), '')`,
    authentication_attempts: `insert into authentication_attempts
        (program_id, id, card_id, authentication_id, outcome, at)
      values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'wrong', now())`,
  };
  const REWRITES = [
    'update % set program_id = gen_random_uuid()',
    'update % set program_id = program_id where false',
    'delete from %',
    'delete from % where false',
    'truncate %',
  ];

  /** Runs a statement as the application does, in a transaction under its role or under the login itself. */
  async function attempt(url: string, statement: string, role?: string): Promise<string> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query('begin');
      if (role) await client.query(`set local role ${role}`);
      const { rowCount } = await client.query(statement);
      await client.query('commit');
      return `done: ${rowCount}`;
    } catch (error) {
      return (error as pg.DatabaseError).message;
    } finally {
      await client.end();
    }
  }

  describe.each(PAST)('%s', (table) => {
    let url: string;
    let role: string | undefined;
    beforeAll(async () => {
      url = await freshDatabase();
      role = await applicationRole(url);
      expect(await attempt(url, ROWS[table] as string, role)).toBe('done: 1');
    });

    test.each(REWRITES)('by the application’s role: %s', async (rewrite) => {
      const before = await sql(url, `select row::text from ${table} as row`);
      expect(before).toHaveLength(1);
      expect(await attempt(url, rewrite.replace('%', table), role)).toBe(
        `permission denied for table ${table}`,
      );
      expect(await sql(url, `select row::text from ${table} as row`)).toEqual(before);
    });
  });

  test('the role can write every other table, also those of later migrations; it can delete from few', async () => {
    const url = await freshDatabase();
    const role = await applicationRole(url);
    await sql(url, 'create table made_later (program_id uuid primary key)');
    const rights = ['select', 'insert', 'update', 'delete'];
    const heldOn = (name: string): number => {
      if (LOOKED_AT.includes(name)) return 1;
      if (PAST.includes(name)) return 2;
      return SHORT_LIVED.includes(name) ? 4 : 3;
    };
    const rows = await sql<{ name: string; held: string[] }>(
      url,
      `select c.relname as name, array(select r from unnest($2::text[]) as r
         where has_table_privilege($1, c.oid, r)) as held
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
      [role, rights],
    );
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining([...PAST, 'cards', 'made_later']));
    for (const { name, held } of rows) expect([name, held]).toEqual([name, rights.slice(0, heldOn(name))]);
  });

  test('lost permissions, as after a restore without them, are granted again at the next start', async () => {
    const url = await freshDatabase();
    const role = await applicationRole(url);
    await sql(url, `revoke all on all tables in schema public from ${role}`);
    expect(await attempt(url, 'select from programs', role)).toBe('permission denied for table programs');
    expect(await migrate(url)).toEqual({ monthsMade: true, applied: [], role });
    expect(await attempt(url, 'select from programs', role)).toBe('done: 0');
    await sql(url, `grant update on ledger_transfers to ${role}`);
    expect(await migrate(url)).toEqual({ monthsMade: true, applied: [], role });
    expect(await attempt(url, 'update ledger_transfers set code = code', role)).toMatch('permission denied');
  });

  test('a table of another owner is not changed', async () => {
    const url = await freshDatabase();
    const other = `other_${randomBytes(6).toString('hex')}`;
    await sql(url, `create role ${other}`);
    await sql(url, 'create table theirs ()');
    await sql(url, `alter table theirs owner to ${other}`);
    const role = await applicationRole(url);
    expect(await attempt(url, 'select from theirs', role)).toBe('permission denied for table theirs');
  });

  test('a role that an administrator created for a login without CREATEROLE is used', async () => {
    const url = await emptyDatabase();
    const database = new URL(url).pathname.slice(1);
    const login = `plain_${randomBytes(6).toString('hex')}`;
    await sql(url, `create role ${login} login password 'plain'`);
    await sql(url, `alter database ${database} owner to ${login}`);
    await sql(url, `create role ${roleOf(url)} nologin`);
    await sql(url, `grant ${roleOf(url)} to ${login}`);
    const own = Object.assign(new URL(url), { username: login, password: 'plain' }).href;
    expect(await migrate(own)).toEqual({ monthsMade: true, applied: migrationNames, role: roleOf(url) });
    expect(await attempt(own, 'update ledger_transfers set code = code', roleOf(url))).toMatch(
      'permission denied',
    );
    expect(await attempt(own, 'update programs set name = name', roleOf(url))).toBe('done: 0');
  });

  test('nor by a login that cannot create roles: it revokes its own permissions, and can do everything else', async () => {
    const url = await emptyDatabase();
    const database = new URL(url).pathname.slice(1);
    const login = `plain_${randomBytes(6).toString('hex')}`;
    await sql(url, `create role ${login} login password 'plain'`);
    await sql(url, `alter database ${database} owner to ${login}`);
    const own = Object.assign(new URL(url), { username: login, password: 'plain' }).href;
    expect(await migrate(own)).toEqual({ monthsMade: true, applied: migrationNames, role: undefined });
    for (const table of PAST) {
      expect(await attempt(own, ROWS[table] as string)).toBe('done: 1');
      for (const rewrite of REWRITES)
        expect(await attempt(own, rewrite.replace('%', table))).toBe(`permission denied for table ${table}`);
      expect(await sql(own, `select from ${table}`)).toHaveLength(1);
    }
    expect(await attempt(own, 'update programs set name = name')).toBe('done: 0');
    expect(await migrate(own)).toEqual({ monthsMade: true, applied: [], role: undefined });
  });
});
