import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { refusal } from '../scripts/refusal.ts';
import { freeServerPort } from '../server/free-port.ts';
import { ordinaryUser } from './installed-postgres.ts';

export interface Pooler {
  url: string;
  namedStatements: boolean;
  stop(): Promise<void>;
}

const LOGIN = 'pooler';
const PASSWORD = 'of the pooler in a test run';
/** Debian puts it where only root looks. */
const ENVIRONMENT = { PATH: `${process.env['PATH']}:/usr/sbin` };

/** The version of the pooler that TEST_POOLER names, or undefined without one. */
export function chosenPooler(chosen: string | undefined): string | undefined {
  if (!chosen) return undefined;
  if (chosen !== 'pgbouncer') throw refusal(`TEST_POOLER is "pgbouncer" or nothing, not "${chosen}"`);
  try {
    const text = execFileSync('pgbouncer', ['--version'], { encoding: 'utf8', env: ENVIRONMENT });
    return /PgBouncer (\d+(?:\.\d+)*)/.exec(text)?.[1] ?? '0.0';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw refusal('no PgBouncer is installed: apt-get install pgbouncer');
  }
}

/** From 1.21 on. */
function keepsStatementsApart(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 1 || (major === 1 && minor >= 21);
}

/** PgBouncer in transaction mode in front of a server: no two transactions of a client need see the same session. */
export async function startPooler(serverUrl: string, version: string): Promise<Pooler> {
  await sql(serverUrl, `create role ${LOGIN} superuser login password '${PASSWORD}'`);
  const server = new URL(serverUrl);
  const port = await freeServerPort();
  const dir = mkdtempSync(join(tmpdir(), 'emboss-pooler-'));
  const namedStatements = keepsStatementsApart(version);
  writeFileSync(join(dir, 'users.txt'), `"${LOGIN}" "${PASSWORD}"\n`);
  writeFileSync(
    join(dir, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${dir}/users.txt
auth_user = ${LOGIN}
auth_query = select usename, passwd from pg_shadow where usename = $1
pool_mode = transaction
max_client_conn = 2000
default_pool_size = 20
server_idle_timeout = 2
server_login_retry = 1
${namedStatements ? 'max_prepared_statements = 200\n' : ''}log_connections = 0
log_disconnections = 0
`,
  );
  chmodSync(dir, 0o755);
  const child = spawn('pgbouncer', ['--quiet', join(dir, 'pgbouncer.ini')], {
    ...ordinaryUser(),
    stdio: ['ignore', 'ignore', 'inherit'],
    env: ENVIRONMENT,
  });
  const ended = once(child, 'close').catch(() => {});
  const stop = async () => {
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGKILL'), 5_000).unref();
    await ended;
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await answers(port);
  } catch (error) {
    await stop();
    throw error;
  }
  server.port = String(port);
  return { url: server.href, namedStatements, stop };
}

async function sql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

async function answers(port: number): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const socket = connect(port, '127.0.0.1');
    const open = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (open) return;
    await pause(20);
  }
  throw new Error('the pooler does not answer');
}
