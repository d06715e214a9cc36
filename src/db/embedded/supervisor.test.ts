import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findPostmaster } from './postmaster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './supervisor.ts';

const isRoot = process.getuid?.() === 0;
const moduleUrl = new URL('./supervisor.ts', import.meta.url).href;
const directories: string[] = [];
const children: ChildProcess[] = [];

const log = (): void => {};
const clusterOf = (dataDir: string): string => join(dataDir, 'postgres');

function newDataDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'emboss-embedded-'));
  directories.push(directory);
  return directory;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows.map((row) => Object.values(row)[0]);
  } finally {
    await client.end();
  }
}

const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 });

/** Starts the database in a child process, which prints one line of JSON and then runs `afterwards`. */
async function startInChild(dataDir: string, afterwards: string) {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(moduleUrl)};
    const db = await startEmbeddedPostgres({ dataDir: process.argv[1], log: () => {} });
    console.log(JSON.stringify({ url: db.url, started: db.started }));
    ${afterwards}`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', script, dataDir];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, ...(JSON.parse(line) as { url: string; started: boolean }) };
}

const STAY = 'process.stdin.resume();';

function postmasterPid(dataDir: string): number {
  const pid = findPostmaster(clusterOf(dataDir))?.pid;
  if (!pid) throw new Error('no postmaster runs');
  return pid;
}

async function killHard(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

async function endPostmaster(dataDir: string): Promise<void> {
  const pid = findPostmaster(clusterOf(dataDir))?.pid;
  if (pid) process.kill(pid, 'SIGQUIT');
  await eventually(() => expect(findPostmaster(clusterOf(dataDir))).toBeUndefined());
}

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const directory of directories) {
    await endPostmaster(directory);
    rmSync(directory, { recursive: true, force: true });
  }
});

describe('the embedded PostgreSQL', () => {
  let dataDir: string;
  let db: EmbeddedPostgres | undefined;
  const start = async (): Promise<EmbeddedPostgres> => {
    db = await startEmbeddedPostgres({ dataDir, log });
    return db;
  };

  beforeAll(async () => {
    dataDir = newDataDir();
    const { url, stop } = await start();
    await query(url, 'create table kept (n int primary key)');
    await stop();
  }, 20_000);
  afterEach(async () => {
    await db?.stop();
    db = undefined;
  });

  test('starts with durable settings and checksums, accepts only local logins with a password, and stops', async () => {
    const { url, started, stop } = await start();
    expect(started).toBe(true);
    for (const name of ['fsync', 'synchronous_commit', 'data_checksums', 'full_page_writes'])
      expect(await query(url, `show ${name}`), name).toEqual(['on']);
    expect(await query(url, 'show listen_addresses')).toEqual(['127.0.0.1']);
    expect(await query(url, 'show timezone')).toEqual(['UTC']);
    expect(await query(url, "select lower('É')")).toEqual(['é']);
    expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
    const wrongPassword = Object.assign(new URL(url), { password: 'guess' }).href;
    await expect(query(wrongPassword, 'select 1')).rejects.toThrow('password authentication failed');
    await stop();
    await expect(query(url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  });

  test('writes no data into its log, for any failure', async () => {
    const { url } = await start();
    await query(url, 'insert into kept values (4242)');
    await expect(query(url, 'insert into kept values (4242)')).rejects.toThrow('duplicate key');
    await expect(query(url, "select 'private words'::int")).rejects.toThrow('invalid input syntax');
    const written = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
    expect(written).toContain('ready to accept connections');
    expect(written).not.toMatch(/4242|private words/);
  });

  test('can be used by a second process, which may end without releasing it', async () => {
    const { url } = await start();
    const second = await startInChild(dataDir, '');
    expect(second).toMatchObject({ url, started: false });
    if (second.child.exitCode === null) await once(second.child, 'exit');
    const third = await startEmbeddedPostgres({ dataDir, log });
    third.release();
    expect(third.started).toBe(false);
    expect(await query(url, 'select 1')).toEqual([1]);
  });

  test('restarts at the same address with all committed data after its postmaster is killed', async () => {
    const { url } = await start();
    await query(url, 'insert into kept values (1)');
    for (const round of [1, 2]) {
      const pid = postmasterPid(dataDir);
      process.kill(pid, 'SIGKILL');
      await eventually(async () => {
        expect(await query(url, 'select n from kept where n = 1'), `round ${round}`).toEqual([1]);
        expect(postmasterPid(dataDir)).not.toBe(pid);
      });
    }
  });

  test('stops when its server ends, in any way, and starts again with all committed data', async () => {
    const first = await startInChild(dataDir, STAY);
    expect(first.started).toBe(true);
    await query(first.url, 'insert into kept values (2)');
    await killHard(first.child);
    await eventually(() => expect(findPostmaster(clusterOf(dataDir))).toBeUndefined());
    const crashed = await startInChild(
      dataDir,
      "process.stdin.once('data', () => { throw new Error('planted'); });",
    );
    expect(crashed).toMatchObject({ url: first.url, started: true });
    crashed.child.stdin?.write('now');
    await eventually(() => expect(findPostmaster(clusterOf(dataDir))).toBeUndefined());
    const again = await start();
    expect(await query(again.url, 'select n from kept where n = 2')).toEqual([2]);
  });

  test('stops with the server that took it over, also after a restart', async () => {
    const starter = await startInChild(
      dataDir,
      "process.stdin.once('data', () => { db.release(); process.exit(); });",
    );
    const server = await startInChild(dataDir, `db.own(); ${STAY}`);
    expect(server.started).toBe(false);
    starter.child.stdin?.write('leave');
    await once(starter.child, 'exit');
    const pid = postmasterPid(dataDir);
    expect(await query(server.url, 'select 1')).toEqual([1]);
    process.kill(pid, 'SIGKILL');
    await eventually(async () => expect(await query(server.url, 'select 1')).toEqual([1]));
    expect(postmasterPid(dataDir)).not.toBe(pid);
    await killHard(server.child);
    await eventually(() => expect(findPostmaster(clusterOf(dataDir))).toBeUndefined());
  });

  test('starts again with all committed data after server and postmaster are killed together', async () => {
    const first = await startInChild(dataDir, STAY);
    await query(first.url, 'insert into kept values (3)');
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    await killHard(first.child);
    const { url, started } = await start();
    expect({ url, started }).toEqual({ url: first.url, started: true });
    expect(await query(url, 'select n from kept where n = 3')).toEqual([3]);
  });

  test('detects that the pid in a stale pid file belongs to another program', async () => {
    const { uid, gid } = statSync(clusterOf(dataDir));
    const other = spawn('sleep', ['60'], { ...(isRoot ? { uid, gid } : {}), stdio: 'ignore' });
    children.push(other);
    writeFileSync(join(clusterOf(dataDir), 'postmaster.pid'), `${other.pid}\n/elsewhere\n0\n5432\n\n\n`);
    const { url, started } = await start();
    expect(started).toBe(true);
    expect(await query(url, 'select 1')).toEqual([1]);
    expect(other.exitCode).toBeNull();
  });

  test('stays stopped if it is stopped during a restart', async () => {
    const lines: string[] = [];
    db = await startEmbeddedPostgres({ dataDir, log: (_level, line) => lines.push(line) });
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    await eventually(() => expect(lines.at(-1)).toContain('ended; restarting it'));
    await db.stop();
    expect(findPostmaster(clusterOf(dataDir))).toBeUndefined();
    await expect(query(db.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    expect(lines.join()).not.toContain(readFileSync(join(dataDir, 'postgres-password'), 'utf8'));
  });

  test('two concurrent first starts share one cluster and leave no temporary files', async () => {
    const empty = newDataDir();
    const both = await Promise.all([startInChild(empty, STAY), startInChild(empty, STAY)]);
    expect(both.map(({ started }) => started).sort()).toEqual([false, true]);
    expect(both[0].url).toBe(both[1].url);
    expect(readdirSync(empty).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log']);
    await Promise.all(both.map(({ child }) => killHard(child)));
  });

  test.runIf(isRoot)('as root, works in a directory that its own user cannot enter', async () => {
    const { url } = await start();
    const { uid, gid } = statSync(clusterOf(dataDir));
    expect(uid).not.toBe(0);
    expect(spawnSync('ls', [clusterOf(dataDir)], { uid, gid }).status).not.toBe(0);
    expect(statSync(join(dataDir, 'postgres-password')).uid).toBe(0);
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    const answers = await Promise.all(numbers.map((n) => query(url, `select ${n}`)));
    expect(answers).toEqual(numbers.map((n) => [n]));
    await query(url, 'create database copied template template1 strategy file_copy');
    await query(url, 'drop database copied');
  });
});
