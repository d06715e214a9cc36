import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  createDatabase,
  freshDatabase,
  pastPooler,
  sql,
  urlOf,
} from '../../../test/support/database/database.ts';
import { runCli } from '../../../test/support/server/cli.ts';
import { appForTests } from '../../../test/support/server/test-app.ts';
import { prepareEmbedded } from '../../db/server-login.ts';
import { lowestIdAt } from '../../kernel/ids.ts';

const masterKey = randomBytes(32).toString('base64');
const dataDir = mkdtempSync(join(tmpdir(), 'emboss-doctor-'));

const app = appForTests({ masterKey });
let env: Record<string, string>;
beforeAll(async () => {
  const { port } = new URL(app.url);
  env = { DATABASE_URL: app.databaseUrl, EMBOSS_MASTER_KEY: masterKey, DATA_DIR: dataDir, PORT: port };
});
afterAll(() => rmSync(dataDir, { recursive: true }));

interface Found {
  status: string;
  check: string;
  what: string;
  remedy: string | null;
}

/** These tests log in as the owner of their databases, on the server of the run, which is not durable. */
const OF_THE_RUN = ['login', 'fsync', 'full_page_writes'];

/** Findings other than `ok`, without those of the run. The exit code is 1 exactly if a check fails. */
async function findings(changes: Record<string, string> = {}, ignored = OF_THE_RUN): Promise<Found[]> {
  const { code, json, err } = await runCli({ ...env, ...changes }, ['doctor', '--json']);
  const found = json.findings as Found[];
  const failed = found.some(({ status }) => status === 'fail');
  expect({ code, ok: json.ok, err }).toEqual({ code: failed ? 1 : 0, ok: !failed, err: '' });
  for (const { status, remedy } of found) expect(remedy === null).toBe(status === 'ok');
  return found.filter(({ status, check }) => status !== 'ok' && !ignored.includes(check));
}

const brief = (found: Found[]) => found.map(({ status, check }) => `${status} ${check}`);

test('reports months without a partition of transactions', async () => {
  const url = await freshDatabase();
  await sql(
    url,
    `do $$
     declare
       month regclass;
     begin
       for month in select inhrelid from pg_inherits
         where inhparent = 'transactions'::regclass and inhrelid <> 'transactions_2026'::regclass
       loop
         execute format('alter table transactions detach partition %s', month);
       end loop;
       alter table transactions attach partition transactions_later
         for values from ('${lowestIdAt(Date.parse('2027-01-01'))}') to (maxvalue);
     end $$`,
  );
  expect(await findings({ DATABASE_URL: url })).toContainEqual({
    status: 'warn',
    check: 'months',
    what: 'there are no transaction partitions from 2027-01-01 on',
    remedy: 'run "emboss migrate"',
  });
});

test('reports a server login that owns tables', async () => {
  const loginOf = async (url: string) => {
    const { json } = await runCli({ ...env, DATABASE_URL: url }, ['doctor', '--json']);
    return json.findings.filter(({ check }: Found) => check === 'login');
  };
  const remedy = expect.stringContaining('docs/operate.md');
  expect(await loginOf(app.databaseUrl)).toEqual([
    { status: 'warn', check: 'login', what: "the server's login owns the schema", remedy },
  ]);
  const { url } = await prepareEmbedded(app.databaseUrl);
  expect(await loginOf(url)).toMatchObject([{ status: 'ok' }]);
});

test('reports no problem on a correct installation', async () => {
  expect(await findings()).toEqual([]);
  const [server] = await app.sql<{ version: string }>(`select current_setting('server_version') as version`);
  const { out } = await runCli(env, ['doctor']);
  for (const line of [
    'ok    Node ',
    'ok    the settings can be read',
    `ok    PostgreSQL ${server?.version}`,
    'ok    synchronous_commit is on',
    'ok    the clocks of the server and the database agree',
    'ok    the schema is up to date',
    'ok    the master key decrypts all 7 data keys',
    'ok    Test has a design, a key and a KYC provider',
    `ok    an Emboss server is ready on port ${env['PORT']}`,
  ])
    expect(out).toContain(line);
  expect(out).toMatch(/GiB free/);
});

test('reports a proxy that is not trusted', async () => {
  const behind = { PUBLIC_URL: 'https://cards.example.com' };
  expect(await findings(behind)).toMatchObject([
    { status: 'warn', check: 'proxy', remedy: expect.stringContaining('TRUST_PROXY') },
  ]);
  expect(await findings({ ...behind, TRUST_PROXY: 'loopback' })).toEqual([]);
});

test.each<[string, Record<string, string>, string, RegExp]>([
  ['a setting that cannot be used', { PORT: '0' }, 'fail settings', /PORT must be/],
  [
    'another master key',
    { EMBOSS_MASTER_KEY: randomBytes(32).toString('base64') },
    'fail vault',
    /EMBOSS_MASTER_KEY/,
  ],
  ['a master key of the wrong length', { EMBOSS_MASTER_KEY: 'c2hvcnQ=' }, 'fail settings', /32 bytes/],
  [
    'an unreachable database',
    { DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' },
    'fail database',
    /ECONNREFUSED/,
  ],
])('%s', async (_name, changes, expected, words) => {
  const found = await findings(changes);
  expect(brief(found)).toEqual([expected]);
  expect(`${found[0]?.what} ${found[0]?.remedy}`).toMatch(words);
});

test('reports a data key under the previous master key', async () => {
  const changes = {
    EMBOSS_MASTER_KEY: randomBytes(32).toString('base64'),
    EMBOSS_MASTER_KEY_PREVIOUS: masterKey,
  };
  const found = await findings(changes);
  expect(found).toMatchObject([{ status: 'warn', check: 'vault', remedy: 'run "emboss vault rewrap"' }]);
});

test('reports an edited migration, a missing one and one of a newer release, and applies none', async () => {
  const url = await freshDatabase();
  const changes = { DATABASE_URL: url };
  await sql(url, "update migration_checksums set sha256 = 'other' where name = '000001_baseline'");
  expect(await findings(changes)).toMatchObject([
    {
      status: 'fail',
      check: 'migrations',
      what: expect.stringContaining('000001_baseline'),
      remedy: 'restore the file',
    },
    { status: 'warn', check: 'programs' },
  ]);
  await sql(url, "update migrations set name = '999999_future' where name = '000001_baseline'");
  expect(brief(await findings(changes))).toEqual(['fail schema', 'warn migrations']);
  const empty = urlOf(inject('serverUrl'), `doctor_${randomBytes(4).toString('hex')}`);
  await createDatabase(inject('serverUrl'), new URL(empty).pathname.slice(1));
  expect(await findings({ DATABASE_URL: empty })).toMatchObject([
    { status: 'fail', check: 'schema', remedy: 'run "emboss migrate"' },
  ]);
  expect(await sql(empty, "select from pg_tables where schemaname = 'public'")).toEqual([]);
});

test('reports durability settings that are off', async () => {
  const url = await freshDatabase();
  // A pooler would reuse the session with the old setting.
  const name = new URL(url).pathname.slice(1);
  await sql(pastPooler(url), `alter database ${name} set synchronous_commit = off`);
  expect(brief(await findings({ DATABASE_URL: url }, ['login']))).toEqual([
    'fail fsync',
    'fail synchronous_commit',
    'fail full_page_writes',
    'warn programs',
  ]);
});

test('reports a program without a design or key, and a live program without KYC', async () => {
  const changes = { DATABASE_URL: await freshDatabase() };
  const create = ['program', 'create', '--currency', 'EUR'];
  await runCli({ ...env, ...changes }, [...create, '--name', 'Bare']);
  expect(brief(await findings(changes))).toEqual(['warn design', 'warn key']);
  await runCli({ ...env, ...changes }, ['design', 'add', 'black', '--name', 'Black']);
  await runCli({ ...env, ...changes }, ['key', 'create', '--expires', '1s']);
  const key = (await runCli({ ...env, ...changes }, ['key', 'create', '--json'])).json;
  expect(await findings(changes)).toEqual([]);
  await runCli({ ...env, ...changes }, ['key', 'revoke', key.id]);
  await sql(
    changes.DATABASE_URL,
    "update api_keys set expires_at = now() - interval '1 s' where revoked_at is null",
  );
  expect(brief(await findings(changes))).toEqual(['warn key']);
  await runCli({ ...env, ...changes }, ['key', 'create']);
  await sql(changes.DATABASE_URL, "update programs set mode = 'live'");
  expect(brief(await findings(changes))).toEqual(['warn kyc']);
  await runCli({ ...env, ...changes }, ['program', 'set', '--kyc-provider', 'sumsub']);
  expect(brief(await findings(changes))).toEqual(['fail kyc']);
  expect(await findings({ ...changes, SUMSUB_APP_TOKEN: 'token', SUMSUB_SECRET_KEY: 'secret' })).toEqual([]);
});

test('reports a port that another program uses, and not a free one', async () => {
  const other = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  expect(brief(await findings({ PORT: String(port) }))).toEqual(['fail port']);
  other.closeAllConnections();
  await new Promise((closed) => other.close(closed));
  expect(await findings({ PORT: String(port) })).toEqual([]);
});

test('reports a master key file that others can read, and a missing one', async () => {
  const file = join(dataDir, 'master-key');
  writeFileSync(file, masterKey, { mode: 0o600 });
  expect(await findings()).toEqual([]);
  chmodSync(file, 0o640);
  expect(await findings()).toMatchObject([
    { status: 'fail', check: 'master-key-file', remedy: `chmod 600 ${file}` },
  ]);
  chmodSync(dataDir, 0o755);
  expect(brief(await findings())).toEqual(['warn data-dir', 'fail master-key-file']);
  chmodSync(dataDir, 0o700);
  rmSync(file);
});

test('before the first start it reports that there is no data, and creates none', async () => {
  const nowhere = join(dataDir, 'not', 'yet');
  const { DATABASE_URL: _, EMBOSS_MASTER_KEY: __, ...embedded } = env;
  const { code, json } = await runCli({ ...embedded, DATA_DIR: nowhere }, ['doctor', '--json']);
  expect(code).toBe(0);
  expect(brief(json.findings).filter((text) => !text.startsWith('ok'))).toEqual([
    'warn data-dir',
    'warn database',
  ]);
  expect(() => rmSync(nowhere)).toThrow('ENOENT');
});
