import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createDatabase, freshDatabase, sql, urlOf } from '../../test/support/database/database.ts';
import { startEmbeddedPostgres } from './embedded/supervisor.ts';
import { prepareDatabase, prepareEmbedded, SERVER_LOGIN } from './server-login.ts';

const random = (prefix: string) => `${prefix}_${randomBytes(6).toString('hex')}`;

const attempt = (url: string, statement: string): Promise<string> =>
  sql(url, statement).then(
    () => 'done',
    (error) => (error as Error).message,
  );

/** A database as an administrator creates it: empty, owned by a login without privileges, and a second login. */
async function administered(): Promise<{ admin: string; owner: string; server: string; login: string }> {
  const serverUrl = inject('serverUrl');
  const [name, ownerName, login] = [random('test'), random('owner'), random('server')];
  await createDatabase(serverUrl, name);
  const admin = urlOf(serverUrl, name);
  for (const role of [ownerName, login]) await sql(admin, `create role ${role} login password 'plain'`);
  await sql(admin, `alter database ${name} owner to ${ownerName}`);
  const as = (username: string) => Object.assign(new URL(admin), { username, password: 'plain' }).href;
  return { admin, owner: as(ownerName), server: as(login), login };
}

/** Statements that the server's login must not run, with PostgreSQL's error. */
const FORBIDDEN: Array<[string, RegExp]> = [
  ['update ledger_transfers set code = code', /permission denied/],
  ['delete from ledger_transfers', /permission denied/],
  ['truncate ledger_transfers', /permission denied/],
  ['update audit_entries set actor = actor', /permission denied/],
  ['delete from audit_entries', /permission denied/],
  ['update audit_links set hash = hash', /permission denied/],
  ['delete from audit_links', /permission denied/],
  ['delete from ledger_accounts', /permission denied/],
  ['delete from ledger_daily_balances', /permission denied/],
  ['delete from events', /permission denied/],
  ['delete from network_messages', /permission denied/],
  ['delete from transactions', /permission denied/],
  ['delete from cards', /permission denied/],
  ['delete from vault_records', /permission denied/],
  ['create table mine ()', /permission denied for schema/],
  ['alter table cards add column mine text', /must be owner/],
  ['alter table ledger_transfers disable trigger all', /must be owner/],
  ['drop table audit_entries', /must be owner/],
  ['create index on cards (id)', /must be owner/],
  ["update migration_checksums set sha256 = ''", /permission denied/],
  ['delete from migrations', /permission denied/],
  ['reset role; delete from audit_entries', /permission denied/],
  ["copy programs to program 'cat'", /permission denied|must be superuser/],
  ['create role another', /permission denied/],
  ['alter role current_user superuser', /permission denied|must be superuser/],
];

const ALLOWED = [
  'select from cards',
  'update programs set name = name',
  'delete from audit_unlinked',
  'select name from migrations',
  "insert into audit_unlinked values ('00000000-0000-8000-8000-000000000001', '00000000-0000-8000-8000-000000000001')",
];

async function expectBound(url: string): Promise<void> {
  for (const [statement, refusal] of FORBIDDEN)
    expect([statement, await attempt(url, statement)]).toEqual([statement, expect.stringMatching(refusal)]);
  for (const statement of ALLOWED)
    expect([statement, await attempt(url, statement)]).toEqual([statement, 'done']);
}

describe('a server with a login of its own', () => {
  test('serves requests, and can neither change the schema nor rewrite the ledger and the audit', async () => {
    const { owner, server } = await administered();
    const prepared = await prepareDatabase(owner, server);
    expect(prepared).toMatchObject({ url: server, role: undefined, bound: true });
    expect(prepared.applied).toContain('000001_baseline');
    await expectBound(server);
  });

  test('needs no other login if the schema is up to date; otherwise the error says so', async () => {
    const { admin, owner, server } = await administered();
    await prepareDatabase(owner, server);
    expect(await prepareDatabase(server)).toEqual({
      monthsMade: true,
      applied: [],
      url: server,
      role: undefined,
      bound: true,
    });
    await sql(admin, "delete from migrations where name = '000001_baseline'");
    await expect(prepareDatabase(server)).rejects.toThrow(
      'the schema is out of date (000001_baseline), and this login cannot change it: run "emboss migrate" with MIGRATION_DATABASE_URL',
    );
  });

  test('gets missing permissions back, and loses excess ones', async () => {
    const { admin, owner, server, login } = await administered();
    await prepareDatabase(owner, server);
    await sql(admin, `revoke all on all tables in schema public from ${login}`);
    await prepareDatabase(owner, server);
    await expectBound(server);
    await sql(admin, `grant update on ledger_transfers to ${login}`);
    await prepareDatabase(owner, server);
    await expectBound(server);
    await sql(admin, `grant delete on all tables in schema public to ${login}`);
    await prepareDatabase(owner, server);
    await expectBound(server);
  });
});

test('excess permissions on a new table are revoked', async () => {
  const { admin, owner, server, login } = await administered();
  await prepareDatabase(owner, server);
  const insert = () => sql(server, "insert into migration_checksums values ('900000_later', 'any')");
  await expect(insert()).rejects.toThrow('permission denied');
  await sql(admin, `grant insert on migration_checksums to ${login}`);
  await prepareDatabase(owner, server);
  await expect(insert()).rejects.toThrow('permission denied');
});

/** The embedded PostgreSQL already starts with 1.1, so the first check needs another server (TEST_POSTGRES). */
test('random_page_cost is 1.1 unless an administrator has set another value', async () => {
  const { admin, owner, server, login } = await administered();
  // A setting of the role applies to new sessions.
  let sessions = 0;
  const cost = async () =>
    (await sql(`${server}?application_name=${++sessions}`, 'show random_page_cost'))[0];
  await prepareDatabase(owner, server);
  expect(await cost()).toEqual({ random_page_cost: '1.1' });
  await sql(
    admin,
    `alter role ${login} in database ${new URL(admin).pathname.slice(1)} set random_page_cost = 3`,
  );
  await prepareDatabase(owner, server);
  expect(await cost()).toEqual({ random_page_cost: '3' });
});

test('with one login for both, transactions run as a role', async () => {
  const url = await freshDatabase();
  const { role, bound } = await prepareDatabase(url);
  expect({ role, bound }).toEqual({ role: `emboss_app_${new URL(url).pathname.slice(1)}`, bound: false });
});

describe('the embedded database', () => {
  test('has a login for the server, created at the first start, also with concurrent starts', async () => {
    const owner = await freshDatabase();
    const all = await Promise.all(Array.from({ length: 4 }, () => prepareEmbedded(owner)));
    const [first] = all;
    expect(new Set(all.map(({ url }) => url)).size).toBe(1);
    expect(new URL(first?.url as string).username).toBe(SERVER_LOGIN);
    await expectBound(first?.url as string);
  });

  test('accepts its server again after the password was changed', async () => {
    // A separate server, because all databases of one server share the login.
    const dataDir = mkdtempSync(join(tmpdir(), 'emboss-login-'));
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
    onTestFinished(async () => {
      await postgres.stop();
      rmSync(dataDir, { recursive: true });
    });
    const owner = postgres.url;
    await prepareEmbedded(owner);
    await sql(owner, `alter role ${SERVER_LOGIN} password 'another'`);
    const { url } = await prepareEmbedded(owner);
    expect(await attempt(url, 'select from cards')).toBe('done');
  });
});
