// Brings a clone up to date: installs dependencies from the lock file and builds `dist/` from the sources. It uses only
// Node's own modules, because it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);
const INSTALLED = at('node_modules', '.emboss-installed');

export function setUp() {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < 20) stop(`Node 20 or newer is needed; this is ${process.version}`);
  // An installed package contains no sources and needs no set-up.
  if (!existsSync(at('src'))) return;
  try {
    if (!isInstalled()) withLock(install);
    for (const part of PARTS) if (isStale(part.stamp, part.sources())) withLock(() => build(part));
  } catch (error) {
    stop(error.message);
  }
}

function install() {
  if (isInstalled()) return;
  say('installing dependencies (once)…');
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev']);
  writeFileSync(INSTALLED, lockDigest());
}

/** Compares by content, because a checkout changes file times. Also accepts an install by hand. */
function isInstalled() {
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, 'utf8') === lockDigest()) return true;
  return !isStale(at('node_modules', '.package-lock.json'), [at('package-lock.json')]);
}

function lockDigest() {
  return createHash('sha256')
    .update(readFileSync(at('package-lock.json')))
    .digest('hex');
}

const TSC = at('node_modules', 'ts7', 'bin', 'tsc');
const VITE = at('node_modules', 'vite', 'bin', 'vite.js');

/** The parts to build, each into its own `dist/`: the server, the console and the SDK. */
const PARTS = [
  { name: '', folder: '.', settings: ['bin/bundle.mjs'], make: [at('bin', 'bundle.mjs')] },
  {
    name: ' the console',
    folder: 'console',
    settings: ['index.html', 'vite.config.ts', 'tsconfig.json', 'public/favicon.svg'],
    make: [VITE, 'build', at('console'), '-l', 'error'],
  },
  {
    name: ' the SDK',
    folder: 'sdk',
    settings: ['tsconfig.build.json'],
    make: [TSC, '-p', at('sdk', 'tsconfig.build.json')],
  },
].map(({ name, folder, settings, make }) => ({
  name,
  make,
  dist: at(folder, 'dist'),
  stamp: at(folder, 'dist', '.built'),
  sources: () => [
    ...sourcesIn(at(folder, 'src')),
    ...settings.map((file) => at(folder, file)),
    at('tsconfig.json'),
    at('package-lock.json'),
  ],
}));

function build({ name, make, dist, stamp, sources }) {
  if (!isStale(stamp, sources())) return;
  say(`building${name}…`);
  rmSync(dist, { recursive: true, force: true });
  run(process.execPath, make);
  writeFileSync(stamp, '');
}

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** True if the result is missing or older than one of its inputs. */
function isStale(result, inputs) {
  if (!existsSync(result)) return true;
  const made = statSync(result).mtimeMs;
  return inputs.some((input) => statSync(input).mtimeMs > made);
}

/**
 * Concurrent starts in a fresh clone take turns: exactly one of them can create the link, which contains its pid from
 * the start. The lock of a process that has ended (Ctrl-C during an install) is removed.
 */
function withLock(work) {
  const lock = at('.emboss-setup');
  const draft = `${lock}.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  let reported = false;
  try {
    for (;;) {
      try {
        linkSync(draft, lock);
        break;
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const holder = readHolder(lock);
      if (holder !== undefined && !isAlive(holder)) rmSync(lock, { force: true });
      else if (!reported) say(`waiting for another set-up${holder ? ` (pid ${holder})` : ''}…`);
      reported = true;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function readHolder(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Output goes to stderr: stdout belongs to the command. */
function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    // Tests build too, and their NODE_ENV would select React's development build, which is half again as large.
    env: { ...process.env, NODE_ENV: 'production' },
    shell: process.platform === 'win32',
  });
  if (error || status !== 0) throw new Error(`"${command} ${args[0]}" failed; see above`);
}

function say(text) {
  process.stderr.write(`emboss: ${text}\n`);
}

function stop(text) {
  say(text);
  process.exit(1);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) setUp();
