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
import {
  DATABASE,
  type Cluster as PostgresFiles,
  prepareCluster,
  ROLE,
} from '../../src/db/embedded/cluster.ts';
import { SERVER_LOGIN } from '../../src/db/server-login.ts';
import { CITUS_SETTINGS, requireCitus, trustAll } from '../support/database/citus.ts';
import {
  initialize,
  installedPostgres,
  ordinaryUser,
  PASSWORD,
} from '../support/database/installed-postgres.ts';
import { ROOT } from '../support/scripts/sources.ts';
import { freePort } from '../support/server/free-port.ts';
import { type Missing, NODES, PROCESSES, type ProcessName, requiredKinds } from './plan.ts';

/** The workspace of a run: a directory with a copy of the built program, a small disk and a database's files. */

export interface Workspace {
  dir: string;
  /** The directory of PostgreSQL and the report files; a disk of its own where one could be mounted. */
  disk: string;
  diskMegabytes: number;
  release: string;
  /** The same with one more migration. */
  nextRelease: string;
  /** What could not be set up here, by the fault that is then impossible. */
  missing: Missing;
  ports: Record<ProcessName, number>;
  /** Of `postgres`, and of the nodes of a cluster. */
  postgres: Array<{ name: ProcessName; files: PostgresFiles; url: string }>;
  cluster: boolean;
  /** As the owner; of a cluster, its coordinator. */
  databaseUrl: string;
  /** As servers and workers log in. */
  serverUrl: string;
  shim: string | undefined;
  planted: string | undefined;
}

/** How planted faults are loaded. */
export interface Tampering {
  /** The name of a fault that `plant.ts` loads into servers and workers. */
  planted?: string;
  postgresSettings?: Record<string, string>;
  /** Instead of the migration of the next release. */
  migration?: string;
}

const NEXT_MIGRATION = '000900_chaos.sql';
/** Slow enough to be killed in the middle. */
const MIGRATION = `create table chaos_release (step integer primary key);
insert into chaos_release values (1);
select pg_sleep(1.5) from chaos_release;
alter table chaos_release add column note text;
insert into chaos_release values (2, 'done');
`;

export async function openWorkspace(
  minutes: number,
  tampering: Tampering,
  cluster: boolean,
): Promise<Workspace> {
  // Before anything is created: missing requirements are refused.
  const result = process.env['TEST_POSTGRES'] ?? (cluster ? 'installed' : undefined);
  const binDir = result && installedPostgres(result);
  if (cluster) requireCitus(binDir as string);
  const names: ProcessName[] = cluster ? ['postgres', ...NODES] : ['postgres'];
  const diskMegabytes = names.length * (300 + Math.ceil(60 * minutes));
  const dir = mkdtempSync(join(tmpdir(), 'emboss-chaos-'));
  // PostgreSQL, as another user, reads its control file here.
  chmodSync(dir, 0o755);
  for (const name of ['pids', 'ready', 'logs', 'controls', 'reports', 'disk']) mkdirSync(join(dir, name));
  const missing: Missing = {};
  const disk = mountDisk(join(dir, 'disk'), diskMegabytes, missing);
  const shim = compileShim(dir, missing, cluster);
  for (const name of PROCESSES) {
    writeFileSync(join(dir, 'controls', name), Buffer.alloc(16));
    chmodSync(join(dir, 'controls', name), 0o666);
  }
  const release = copyRelease(join(dir, 'release'));
  // A fault replaces exports of a module, so the modules stay apart.
  if (tampering.planted) await bundle(['src/cli/emboss.ts'], join(release, 'dist'), true);
  const nextRelease = copyRelease(join(dir, 'next-release'));
  writeFileSync(join(nextRelease, 'migrations', NEXT_MIGRATION), tampering.migration ?? MIGRATION);
  const ports = {} as Workspace['ports'];
  for (const name of PROCESSES) ports[name] = await anotherPort(Object.values(ports));
  const settings = postgresSettings(tampering, cluster);
  const postgres: Workspace['postgres'] = [];
  for (const name of names) {
    const files = binDir
      ? await installedFiles(binDir, join(disk, name), settings)
      : await prepareCluster(join(disk, 'data'), settings);
    if (cluster) trustAll(files.dir);
    const database = binDir ? 'postgres' : DATABASE;
    const url = `postgres://${ROLE}:${files.password}@127.0.0.1:${ports[name]}/${database}`;
    postgres.push({ name, files, url });
  }
  const databaseUrl = postgres[0]?.url as string;
  const serverLogin = cluster ? { username: SERVER_LOGIN, password: '' } : {};
  const serverUrl = Object.assign(new URL(databaseUrl), serverLogin).href;
  const { planted } = tampering;
  return {
    dir,
    disk,
    diskMegabytes,
    release,
    nextRelease,
    missing,
    ports,
    postgres,
    cluster,
    databaseUrl,
    serverUrl,
    shim,
    planted,
  };
}

/** The same of the PostgreSQL that TEST_POSTGRES names. */
async function installedFiles(
  binDir: string,
  root: string,
  settings: Record<string, string>,
): Promise<PostgresFiles> {
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

const postgresSettings = (
  { postgresSettings: own = {} }: Tampering,
  cluster: boolean,
): Record<string, string> => ({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '64MB',
  max_wal_size: '128MB',
  min_wal_size: '32MB',
  timezone: 'UTC',
  jit: 'off',
  log_error_verbosity: 'terse',
  ...(cluster && { ...CITUS_SETTINGS, 'citus.recover_2pc_interval': '2s' }),
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

function compileShim(dir: string, missing: Missing, cluster: boolean): string | undefined {
  const library = join(dir, 'fault-shim.so');
  try {
    const source = join(ROOT, 'test/chaos/fault-shim.c');
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], { stdio: 'pipe' });
    return library;
  } catch {
    for (const kind of requiredKinds({}, cluster).filter((kind) => /^(failing sync|clock step)/.test(kind)))
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

export function closeWorkspace({ dir, disk, missing }: Workspace): void {
  if (!('full disk' in missing)) execFileSync('umount', ['-l', disk]);
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}
