import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { refusal } from '../scripts/refusal.ts';
import { freeServerPort } from '../server/free-port.ts';

const ROLE = 'emboss';
export const PASSWORD = 'of-a-server-of-a-test-run';
const INSTALLED = '/usr/lib/postgresql';

/** Nothing kills the server of a run, so a commit writes to the kernel and waits for no disk. */
export const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off' };

export interface InstalledPostgres {
  url: string;
  port: number;
  dataDir: string;
  /** The directory of `postgres`, `pg_ctl`, `pg_basebackup`. */
  binDir: string;
  run(program: string, args: string[]): Promise<void>;
  start(): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
export function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** The directory of the programs of an installed PostgreSQL: the given one, or the newest of Debian's packages. */
export function installedPostgres(chosen: string): string {
  if (chosen !== 'installed') {
    if (holdsServer(chosen)) return resolve(chosen);
    throw refusal(
      `TEST_POSTGRES is "installed" or a directory that holds PostgreSQL's programs, not "${chosen}"`,
    );
  }
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : [];
  const newest = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(INSTALLED, version, 'bin'))
    .find(holdsServer);
  if (newest === undefined) throw refusal('no PostgreSQL is installed: apt-get install postgresql');
  return newest;
}

/** Packages of clients alone bring a directory as well. */
const holdsServer = (directory: string): boolean =>
  ['postgres', 'initdb', 'pg_ctl'].every((program) => existsSync(join(directory, program)));

async function runProgram(program: string, args: string[], cwd: string): Promise<void> {
  const [code] = await once(spawn(program, args, { ...ordinaryUser(), cwd, stdio: 'ignore' }), 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

/** The files of a new server, in a directory that the account of PostgreSQL may write to. */
export async function initialize(binDir: string, dataDir: string): Promise<void> {
  const passwordFile = `${dataDir}-password`;
  writeFileSync(passwordFile, PASSWORD, { mode: 0o644 });
  await runProgram(
    join(binDir, 'initdb'),
    [
      ...['--pgdata', dataDir, '--username', ROLE, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
      ...['--encoding', 'UTF8', '--locale', 'C', '--data-checksums'],
    ],
    dirname(dataDir),
  );
}

/** Longer than a shutdown takes, unless it waits for a replica that cannot be reached. */
const FAST_STOP_MS = 10_000;

/** A server of its own, by default durable, in a directory that goes with it. `prepare` fills the directory; else initdb does. */
export async function createServer(
  binDir: string,
  settings: Record<string, string> = {},
  prepare?: (dataDir: string, run: InstalledPostgres['run']) => Promise<void>,
): Promise<InstalledPostgres> {
  const user = ordinaryUser();
  const root = mkdtempSync(join(tmpdir(), 'emboss-installed-'));
  const dataDir = join(root, 'data');
  const run: InstalledPostgres['run'] = (program, args) => runProgram(join(binDir, program), args, root);
  try {
    if (user) chownSync(root, user.uid, user.gid);
    if (prepare) await prepare(dataDir, run);
    else await initialize(binDir, dataDir);
    return { ...(await startServer(binDir, root, settings)), dataDir, binDir, run };
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
}

async function startServer(
  binDir: string,
  root: string,
  settings: Record<string, string>,
): Promise<Omit<InstalledPostgres, 'dataDir' | 'binDir' | 'run'>> {
  const port = await freeServerPort();
  const given = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const options = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const url = `postgres://${ROLE}:${PASSWORD}@127.0.0.1:${port}/postgres`;
  let child: ReturnType<typeof spawn> | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  const kill = async (signal: NodeJS.Signals) => {
    child?.kill(signal);
    await ended;
    child = undefined;
  };
  const start = async () => {
    const started = spawn(
      join(binDir, 'postgres'),
      ['-D', join(root, 'data'), '-p', String(port), ...options],
      {
        ...ordinaryUser(),
        cwd: root,
        stdio: 'ignore',
      },
    );
    child = started;
    ended = once(started, 'close').catch(() => {});
    await answers(url, () => started.exitCode === null && started.signalCode === null);
  };
  const stop = async () => {
    const late = setTimeout(() => child?.kill('SIGQUIT'), FAST_STOP_MS);
    await kill('SIGINT');
    clearTimeout(late);
    rmSync(root, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, port, start, kill, stop };
}

/** A standby answers as well. */
async function answers(url: string, isRunning: () => boolean): Promise<void> {
  let last: unknown;
  for (let attempt = 0; attempt < 1_500 && isRunning(); attempt++) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      last = error;
      await pause(20);
    }
  }
  throw new Error(isRunning() ? 'the server does not answer' : 'the server ended', { cause: last });
}
