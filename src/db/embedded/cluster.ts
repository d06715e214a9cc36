import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CHILD_ENV, errorCode, findBinaries, type RunAs, renameInto, sweepLeftovers } from './binaries.ts';

export const ROLE = 'emboss';
export const DATABASE = 'emboss';

const MAJOR_VERSION = '18';
export interface Cluster {
  dir: string;
  binaries: string;
  logFile: string;
  password: string;
  runAs: RunAs | undefined;
  settings: Record<string, string>;
}

/** Level by level: Node's recursive mkdir never returns where directories cannot be created, such as under /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Finds the programs and the cluster, and creates what is missing. Starts nothing. */
export async function prepareCluster(dataDir: string, settings: Record<string, string>): Promise<Cluster> {
  const root = resolve(dataDir);
  makeDirectory(root);
  const dir = join(root, 'postgres');
  const exists = clusterExists(dir);
  const runAs = chooseAccount(dir, exists);
  const cluster = {
    dir,
    binaries: findBinaries(root, runAs),
    logFile: join(root, 'postgres.log'),
    password: readPassword(join(root, 'postgres-password'), exists),
    runAs,
    settings,
  };
  sweepLeftovers(dir);
  if (!exists) await createCluster(cluster);
  return cluster;
}

function clusterExists(dir: string): boolean {
  try {
    const version = readFileSync(join(dir, 'PG_VERSION'), 'utf8').trim();
    if (version === MAJOR_VERSION) return true;
    throw new Error(
      `${dir} was created by PostgreSQL ${version}, this release runs ${MAJOR_VERSION}: upgrade it`,
    );
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    if (errorCode(error) !== 'EACCES') throw error;
    throw new Error(`${dir} belongs to another user: run as that user, or choose another DATA_DIR`);
  }
}

function chooseAccount(dir: string, exists: boolean): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (exists) {
    const { uid, gid } = statSync(dir);
    if (uid !== 0) return { uid, gid };
    throw new Error(
      `${dir} belongs to root, and PostgreSQL refuses to run as root: chown -R it to another user`,
    );
  }
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    // macOS prints the highest ids as negative numbers.
    if (uid && gid) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  }
  throw new Error('PostgreSQL refuses to run as root: create a user named postgres, or set DATABASE_URL');
}

/** Written to a temporary file and linked, so that two concurrent first starts use the same complete password. */
function readPassword(path: string, clusterExists: boolean): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw new Error(`${path} cannot be read: run as the user who owns it`);
    if (clusterExists)
      throw new Error(`${path} is missing, and the database accepts no other password: restore the file`);
  }
  const aside = `${path}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  writeFileSync(aside, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(aside, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  sweepLeftovers(path);
  return readFileSync(path, 'utf8').trim();
}

/** Created under a temporary name and renamed, so that a killed process leaves no partial cluster. */
async function createCluster(cluster: Cluster): Promise<void> {
  const staging = mkdtempSync(`${cluster.dir}.new-${process.pid}-`);
  const draft = { ...cluster, dir: staging };
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  const access = ['--auth=scram-sha-256', '--pwfile=/dev/stdin', '-U', ROLE];
  const single = ['--single', '-c', 'exit_on_error=on', '-c', 'log_checkpoints=off'];
  try {
    if (cluster.runAs) chownSync(staging, cluster.runAs.uid, cluster.runAs.gid);
    await runTool(
      draft,
      'initdb',
      ['-D', pathInside(draft), '--data-checksums', ...locale, ...access],
      cluster.password,
    );
    await runTool(
      draft,
      'postgres',
      [...single, '-D', pathInside(draft), 'postgres'],
      `create database ${DATABASE}`,
    );
    renameInto(staging, cluster.dir);
    if (!clusterExists(cluster.dir)) throw new Error(`${cluster.dir} contains something else: move it away`);
    const parent = openSync(dirname(cluster.dir), 'r');
    fsyncSync(parent);
    closeSync(parent);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * The path of the cluster for PostgreSQL's account. The child starts in the directory while it is root, and this link
 * leads there without the parent directories, which the account may not be allowed to enter.
 */
export const pathInside = (cluster: Cluster): string =>
  cluster.runAs && process.platform === 'linux' ? '/proc/self/cwd' : cluster.dir;

function runTool(cluster: Cluster, tool: string, args: string[], input: string): Promise<void> {
  // An unlinked file as standard input: initdb reopens it by path, which fails for a pipe that root owns.
  const name = join(cluster.dir, 'input');
  const stdin = openSync(name, 'wx+', 0o600);
  rmSync(name);
  if (cluster.runAs) fchownSync(stdin, cluster.runAs.uid, cluster.runAs.gid);
  writeSync(stdin, `${input}\n`, 0);
  const child = spawn(join(cluster.binaries, 'bin', tool), args, {
    ...cluster.runAs,
    cwd: cluster.dir,
    env: CHILD_ENV,
    stdio: [stdin, 'ignore', 'pipe'],
  });
  closeSync(stdin);
  return new Promise((done, fail) => {
    let complaint = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    child.on('error', fail);
    child.on('close', (status) => {
      if (status === 0) done();
      else fail(new Error(`The embedded database could not be created (${tool}): ${complaint.trim()}`));
    });
  });
}
