import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { CHILD_ENV, errorCode, isAlive } from './binaries.ts';
import { type Cluster, pathInside } from './cluster.ts';

const BEING_WRITTEN_MS = 2000;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  fsync: 'on',
  synchronous_commit: 'on',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  jit: 'off',
  random_page_cost: '1.1',
  // The log contains only events of the server. Messages, details and statements of errors can contain data, and the
  // client receives them anyway; the server orders "log" above "error".
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
};

/** For glibc: a session that returns its memory after each statement pays the kernel for it in the next one. */
const KEEP_MEMORY = { MALLOC_TRIM_THRESHOLD_: '16777216', MALLOC_MMAP_THRESHOLD_: '8388608' };

/** Starts it in a session of its own, so that Ctrl-C does not reach it: the server stops it after the last request. */
export function spawnPostmaster(cluster: Cluster, port: number): ChildProcess {
  if ((statSync(cluster.logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES)
    renameSync(cluster.logFile, `${cluster.logFile}.1`);
  const log = openSync(cluster.logFile, 'a', 0o600);
  const settings = Object.entries({ ...SETTINGS, ...cluster.settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const args = ['-D', pathInside(cluster), '-p', String(port), ...settings];
  const child = spawn(join(cluster.binaries, 'bin', 'postgres'), args, {
    ...cluster.runAs,
    cwd: cluster.dir,
    env: { ...CHILD_ENV, ...KEEP_MEMORY },
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  return child;
}

/** Its standard input ends with this process, whatever the cause. A line on it dismisses the guard. */
const GUARD = `read -r line && exit
case $(cat "/proc/$1/comm" 2>/dev/null || ps -o comm= -p "$1") in *postgres) kill -INT "$1" ;; esac`;

/** Stops the postmaster when this process ends, also by SIGKILL, unless the guard was dismissed. */
export function guardPostmaster(pid: number): { dismiss: () => void } {
  const guard = spawn('sh', ['-c', GUARD, 'emboss-guard', String(pid)], {
    cwd: '/',
    env: CHILD_ENV,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  (guard.stdin as Socket).unref();
  return { dismiss: () => guard.stdin.end('\n') };
}

/** The port of the last start. It is reused if possible, because other processes may still use it. */
export function lastPort(dir: string): number | undefined {
  try {
    const port = /"-p" "(\d+)"/.exec(readFileSync(join(dir, 'postmaster.opts'), 'utf8'))?.[1];
    return port ? Number(port) : undefined;
  } catch {
    return undefined;
  }
}

/** The running postmaster of the cluster, if any. Removes a stale pid file. */
export function findPostmaster(dir: string): { pid: number; port: number } | undefined {
  const path = join(dir, 'postmaster.pid');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const [pid, , , port] = text.split('\n').map(Number);
  if (pid && isPostmaster(pid, dir)) return { pid, port: port ?? 0 };
  // PostgreSQL ignores a dead pid, but refuses to start if the pid was reused, is a zombie or is missing.
  if (pid ? isAlive(pid) : isOlderThan(path, BEING_WRITTEN_MS)) removePidFile(path, text);
  return undefined;
}

const isOlderThan = (path: string, ageMs: number): boolean =>
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > ageMs;

/** Moves the file away and reads it again: another process may have started a postmaster meanwhile. */
function removePidFile(path: string, judged: string): void {
  const aside = `${path}.stale-${process.pid}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') !== judged) linkSync(aside, path);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
  rmSync(aside, { force: true });
}

/** True for a running postmaster of this cluster; false for a zombie and for another program with its pid. */
export function isPostmaster(pid: number, dir: string): boolean {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' });
    return /(^|\/)postgres\s*$/.test(stdout);
  }
  try {
    if (!/^\d+ \(postgres\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return false;
    const [its, ours] = [statSync(`/proc/${pid}/cwd`), statSync(dir)];
    return its.dev === ours.dev && its.ino === ours.ino;
  } catch (error) {
    // A hardened kernel hides it; then the password decides.
    return errorCode(error) === 'EACCES';
  }
}
