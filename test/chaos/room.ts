import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundle } from '../../bin/bundle.mjs';
import { type Cluster, DATABASE, prepareCluster, ROLE } from '../../src/db/embedded/cluster.ts';
import {
  initialize,
  installedPostgres,
  ordinaryUser,
  PASSWORD,
} from '../support/database/installed-postgres.ts';
import { ROOT } from '../support/scripts/sources.ts';
import { freePort } from '../support/server/server-process.ts';
import { type Missing, PROCESSES, type ProcessName } from './plan.ts';

/** The machine room of a run: a directory with a copy of the built program, a small disk and a database's files. */

export interface Room {
  dir: string;
  /** Where PostgreSQL and the report files lie; a disk of its own where one could be mounted. */
  disk: string;
  diskMegabytes: number;
  release: string;
  /** The same with one more migration. */
  nextRelease: string;
  /** What could not be set up here, by the fault that it takes away. */
  missing: Missing;
  ports: Record<ProcessName, number>;
  cluster: Cluster;
  databaseUrl: string;
  shim: string | undefined;
  planted: string | undefined;
}

/** How planted faults come in. */
export interface Tampering {
  /** The name of a fault that `plant.ts` loads into servers and workers. */
  planted?: string;
  postgresSettings?: Record<string, string>;
  /** Instead of the migration of the next release. */
  migration?: string;
}

const NEXT_MIGRATION = '000900_chaos.sql';
/** Slow enough to be met in the middle. */
const MIGRATION = `create table chaos_release (step integer primary key);
insert into chaos_release values (1);
select pg_sleep(1.5);
alter table chaos_release add column note text;
insert into chaos_release values (2, 'done');
`;

export async function openRoom(diskMegabytes: number, tampering: Tampering): Promise<Room> {
  // Before anything is made: what is not there is refused.
  const told = process.env['TEST_POSTGRES'];
  const binDir = told && installedPostgres(told);
  const dir = mkdtempSync(join(tmpdir(), 'emboss-chaos-'));
  // PostgreSQL, as another user, reads its control file here.
  chmodSync(dir, 0o755);
  for (const name of ['pids', 'ready', 'logs', 'controls', 'reports', 'disk']) mkdirSync(join(dir, name));
  const missing: Missing = {};
  const disk = mountDisk(join(dir, 'disk'), diskMegabytes, missing);
  const shim = compileShim(dir, missing);
  for (const name of PROCESSES) {
    writeFileSync(join(dir, 'controls', name), Buffer.alloc(16));
    chmodSync(join(dir, 'controls', name), 0o666);
  }
  const release = copyRelease(join(dir, 'release'));
  // A fault replaces exports of a module, so the modules stay apart.
  if (tampering.planted) await bundle(['src/cli/emboss.ts'], join(release, 'dist'), true);
  const nextRelease = copyRelease(join(dir, 'next-release'));
  writeFileSync(join(nextRelease, 'migrations', NEXT_MIGRATION), tampering.migration ?? MIGRATION);
  const settings = postgresSettings(tampering);
  const cluster = binDir
    ? await installedCluster(binDir, join(disk, 'installed'), settings)
    : await prepareCluster(join(disk, 'data'), settings);
  const ports = {} as Room['ports'];
  for (const name of PROCESSES) ports[name] = await anotherPort(Object.values(ports));
  const login = `${ROLE}:${cluster.password}`;
  const databaseUrl = `postgres://${login}@127.0.0.1:${ports.postgres}/${binDir ? 'postgres' : DATABASE}`;
  const { planted } = tampering;
  return {
    dir,
    disk,
    diskMegabytes,
    release,
    nextRelease,
    missing,
    ports,
    cluster,
    databaseUrl,
    shim,
    planted,
  };
}

/** The same of another PostgreSQL than the embedded one, as the tests are told with TEST_POSTGRES. */
async function installedCluster(
  binDir: string,
  root: string,
  settings: Record<string, string>,
): Promise<Cluster> {
  const runAs = ordinaryUser();
  const dir = join(root, 'postgres');
  mkdirSync(root);
  if (runAs) chownSync(root, runAs.uid, runAs.gid);
  await initialize(binDir, dir);
  return {
    dir,
    binaries: dirname(binDir),
    logFile: join(root, 'postgres.log'),
    password: PASSWORD,
    runAs,
    settings,
  };
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

function copyRelease(target: string): string {
  mkdirSync(join(target, 'console'), { recursive: true });
  for (const name of ['bin', 'dist', 'migrations', 'package.json'])
    cpSync(join(ROOT, name), join(target, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(target, 'node_modules'));
  symlinkSync(join(ROOT, 'console/dist'), join(target, 'console/dist'));
  return target;
}

export function closeRoom({ dir, disk, missing }: Room): void {
  if (!('full disk' in missing)) execFileSync('umount', ['-l', disk]);
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}
