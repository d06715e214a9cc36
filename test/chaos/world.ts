import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Cluster, DATABASE, pathInside, prepareCluster, ROLE } from '../../src/db/embedded-cluster.ts';
import { findPostmaster } from '../../src/db/embedded-postmaster.ts';
import { freePort } from '../support/server-process.ts';
import { ROOT } from '../support/sources.ts';
import { now } from './history.ts';
import { type Missing, PROCESSES, type ProcessName } from './plan.ts';

/** The machine room of a run: a copy of the built program, a PostgreSQL, and a keeper that starts again what ends. */

export interface Room {
  dir: string;
  /** Where PostgreSQL and the report files lie; a disk of its own where one could be mounted. */
  disk: string;
  release: string;
  /** The same with one more migration. */
  nextRelease: string;
  /** What could not be set up here, by the fault that it takes away. */
  missing: Missing;
  ports: Record<ProcessName, number>;
  cluster: Cluster;
  databaseUrl: string;
  shim: string | undefined;
}

/** A change to the copy of the program or to the database's settings: how planted faults come in. */
export interface Tampering {
  /** Each text stands exactly once in its file of `dist/`. */
  patches?: ReadonlyArray<{ file: string; find: string; replace: string }>;
  postgresSettings?: Record<string, string>;
  /** Instead of the migration of the next release. */
  migration?: string;
}

const NEXT_MIGRATION = '000900_chaos.sql';
/** Slow enough to be met in the middle. */
const MIGRATION = `create table chaos_release (step integer primary key);
insert into chaos_release values (1);
select pg_sleep(0.7);
alter table chaos_release add column note text;
insert into chaos_release values (2, 'done');
`;

export async function openRoom(diskMegabytes: number, tampering: Tampering): Promise<Room> {
  const dir = mkdtempSync(join(tmpdir(), 'emboss-chaos-'));
  // PostgreSQL, as another user, reads its control file here.
  chmodSync(dir, 0o755);
  for (const name of ['pids', 'logs', 'controls', 'reports', 'disk']) mkdirSync(join(dir, name));
  const missing: Missing = {};
  const disk = mountDisk(join(dir, 'disk'), diskMegabytes, missing);
  const shim = compileShim(dir, missing);
  for (const name of PROCESSES) {
    writeFileSync(join(dir, 'controls', name), Buffer.alloc(16));
    chmodSync(join(dir, 'controls', name), 0o666);
  }
  const release = copyRelease(join(dir, 'release'), tampering);
  const nextRelease = copyRelease(join(dir, 'next-release'), tampering);
  writeFileSync(join(nextRelease, 'migrations', NEXT_MIGRATION), tampering.migration ?? MIGRATION);
  const cluster = await prepareCluster(join(disk, 'data'), postgresSettings(tampering));
  const ports = {} as Room['ports'];
  for (const name of PROCESSES) ports[name] = await anotherPort(Object.values(ports));
  const databaseUrl = `postgres://${ROLE}:${cluster.password}@127.0.0.1:${ports.postgres}/${DATABASE}`;
  return { dir, disk, release, nextRelease, missing, ports, cluster, databaseUrl, shim };
}

async function anotherPort(taken: number[]): Promise<number> {
  const port = await freePort();
  return taken.includes(port) ? anotherPort(taken) : port;
}

const postgresSettings = ({ postgresSettings: own = {} }: Tampering): Record<string, string> => ({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '64MB',
  max_wal_size: '128MB',
  min_wal_size: '32MB',
  timezone: 'UTC',
  jit: 'off',
  log_error_verbosity: 'terse',
  ...own,
});

function mountDisk(path: string, megabytes: number, missing: Missing): string {
  if (process.getuid?.() !== 0) missing['full disk'] = 'needs root, to mount a small disk';
  else
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'emboss-chaos', path], {
        stdio: 'pipe',
      });
    } catch (error) {
      missing['full disk'] = `no disk could be mounted: ${(error as Error).message}`;
    }
  return path;
}

function compileShim(dir: string, missing: Missing): string | undefined {
  const library = join(dir, 'fault-shim.so');
  try {
    const source = join(ROOT, 'test/chaos/fault-shim.c');
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], { stdio: 'pipe' });
    return library;
  } catch {
    for (const kind of ['failing sync', 'clock step of a process', 'clock step of PostgreSQL'])
      missing[kind] = 'needs a C compiler (cc), for a library that is loaded before';
    return undefined;
  }
}

function copyRelease(target: string, { patches = [] }: Tampering): string {
  mkdirSync(join(target, 'console'), { recursive: true });
  for (const name of ['bin', 'dist', 'migrations', 'package.json'])
    cpSync(join(ROOT, name), join(target, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(target, 'node_modules'));
  symlinkSync(join(ROOT, 'console/dist'), join(target, 'console/dist'));
  for (const { file, find, replace } of patches) {
    const path = join(target, 'dist', file);
    const text = readFileSync(path, 'utf8');
    if (text.split(find).length !== 2) throw new Error(`${file} does not hold exactly once: ${find}`);
    writeFileSync(
      path,
      text.replace(find, () => replace),
    );
  }
  return target;
}

export function closeRoom({ dir, disk, missing }: Room): void {
  if (!('full disk' in missing)) execFileSync('umount', ['-l', disk]);
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}

/** One of a process's lives: when it was started, when it was ready, when it ended and by what. */
export interface Life {
  name: ProcessName;
  startedAt: number;
  readyAt: number | undefined;
  endedAt: number | undefined;
  end: string | number | undefined;
}

export interface Keeper {
  lives: Life[];
  start(name: ProcessName, launch: Launch): void;
  ready(name: ProcessName): Promise<void>;
  /** Ends all for good. */
  close(): Promise<void>;
}

export interface Launch {
  spawn: () => ChildProcess;
  isReady: (output: string) => boolean | Promise<boolean>;
}

const RESTART_PAUSE_MS = 100;
const LOOK_EVERY_MS = 20;

/** As a service manager does: whatever ends is started again, and its pid is in a file for the nemesis to find. */
export function createKeeper({ dir }: Room): Keeper {
  const lives: Life[] = [];
  const running = new Map<ProcessName, ChildProcess>();
  const current = new Map<ProcessName, Life>();
  let closing = false;

  async function keep(name: ProcessName, { spawn: launch, isReady }: Launch): Promise<void> {
    while (!closing) {
      const life: Life = { name, startedAt: now(), readyAt: undefined, endedAt: undefined, end: undefined };
      const child = launch();
      lives.push(life);
      running.set(name, child);
      current.set(name, life);
      writeFileSync(join(dir, 'pids', name), String(child.pid));
      let output = '';
      child.stdout?.on('data', (chunk) => {
        output += chunk;
      });
      child.stderr?.on('data', (chunk) => appendFileSync(join(dir, 'logs', name), chunk));
      const ended = new Promise<void>((done) => {
        child.once('exit', (code, signal) => {
          Object.assign(life, { endedAt: now(), end: signal ?? code ?? undefined });
          done();
        });
      });
      while (life.endedAt === undefined && !(await isReady(output))) await pause(LOOK_EVERY_MS);
      if (life.endedAt === undefined) life.readyAt = now();
      await ended;
      await pause(RESTART_PAUSE_MS);
    }
  }

  const keeping: Promise<void>[] = [];
  return {
    lives,
    start: (name, launch) => void keeping.push(keep(name, launch)),
    ready: async (name) => {
      for (;;) {
        const life = current.get(name);
        if (life?.readyAt !== undefined && life.endedAt === undefined) return;
        await pause(LOOK_EVERY_MS);
      }
    },
    close: async () => {
      closing = true;
      // PostgreSQL last and in good order, so that nobody complains on the way.
      for (const [name, child] of running) child.kill(name === 'postgres' ? 'SIGQUIT' : 'SIGKILL');
      await Promise.all(keeping);
    },
  };
}

const environment = ({ dir, shim }: Room, name: ProcessName): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  TZ: 'UTC',
  ...(shim && { LD_PRELOAD: shim, CHAOS_CONTROL: join(dir, 'controls', name) }),
});

export function launchPostgres(room: Room): Launch {
  const { cluster, ports, dir } = room;
  const settings = Object.entries(cluster.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return {
    spawn: () => {
      // Takes a stale pid file away, as the product's own keeper does.
      findPostmaster(cluster.dir);
      const log = openSync(join(dir, 'logs', 'postgres'), 'a');
      if (cluster.runAs) chownSync(join(dir, 'logs', 'postgres'), cluster.runAs.uid, cluster.runAs.gid);
      const args = ['-D', pathInside(cluster), '-p', String(ports.postgres), ...settings];
      return spawn(join(cluster.binaries, 'bin/postgres'), args, {
        ...cluster.runAs,
        cwd: cluster.dir,
        env: { LC_ALL: 'C', ...environment(room, 'postgres') },
        detached: true,
        stdio: ['ignore', log, log],
      });
    },
    isReady: () => answers(room.databaseUrl),
  };
}

async function answers(url: string): Promise<boolean> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

export interface Keys {
  merchant: string;
  network: string;
  master: string;
}

export const newKeys = (): Keys => ({
  merchant: `chaos-merchant-${randomBytes(12).toString('hex')}`,
  network: `chaos-network-${randomBytes(12).toString('hex')}`,
  master: randomBytes(32).toString('base64'),
});

const roleSettings = (room: Room, keys: Keys, databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: join(room.disk, 'files'),
  EMBOSS_MASTER_KEY: keys.master,
  EMBOSS_SANDBOX_API_KEY: keys.merchant,
  EMBOSS_SANDBOX_NETWORK_KEY: keys.network,
  LOG_LEVEL: 'warn',
});

/** Of commands, which go to the database past the nemesis. */
export const commandSettings = (room: Room, keys: Keys): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  ...roleSettings(room, keys, room.databaseUrl),
});

export async function runCommand(
  release: string,
  args: string[],
  env: Record<string, string>,
  input = '',
): Promise<void> {
  const command = [join(release, 'bin/emboss.mjs'), ...args];
  const child = spawn(process.execPath, command, { env, stdio: ['pipe', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`emboss ${args.join(' ')} ended with ${code}: ${complaint}`);
}

/** `databaseUrl` leads through the nemesis. */
export const launchRole = (
  room: Room,
  name: ProcessName,
  keys: Keys,
  databaseUrl: string,
  publicUrl: string,
): Launch => ({
  spawn: () =>
    spawn(process.execPath, [join(room.release, 'bin/emboss.mjs'), 'start'], {
      cwd: room.dir,
      env: {
        ...environment(room, name),
        ...roleSettings(room, keys, databaseUrl),
        EMBOSS_ROLES: name.startsWith('worker') ? 'worker' : 'api',
        PORT: String(room.ports[name]),
        PUBLIC_URL: publicUrl,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  isReady: (output) => /^ready /m.test(output),
});

export const launchReceiver = (room: Room, seed: number): Launch => ({
  spawn: () => {
    const program = join(ROOT, 'test/chaos/receiver.ts');
    const args = [
      '--import',
      'tsx',
      program,
      String(room.ports.receiver),
      join(room.dir, 'received.jsonl'),
      String(seed),
    ];
    return spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  },
  isReady: (output) => output.includes('ready'),
});
