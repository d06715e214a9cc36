// Brings a clone up to date: dependencies as the lock file says, `dist/` as the sources say. Plain JavaScript
// with nothing but Node's own modules, since it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);

export function setUp() {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < 20) stop(`Node 20 or newer is needed; this is ${process.version}`);
  // An installed package carries no sources: it is ready as it is.
  if (!existsSync(at('src'))) return;
  if (isStale(at('node_modules', '.package-lock.json'), [at('package-lock.json')])) withLock(install);
  if (isStale(at('dist', '.built'), sources())) withLock(build);
}

function install() {
  if (!isStale(at('node_modules', '.package-lock.json'), [at('package-lock.json')])) return;
  say('installing dependencies (once)…');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev']);
}

function build() {
  if (!isStale(at('dist', '.built'), sources())) return;
  say('building…');
  rmSync(at('dist'), { recursive: true, force: true });
  run(process.execPath, [at('node_modules', 'ts7', 'bin', 'tsc'), '-p', at('tsconfig.build.json')]);
  writeFileSync(at('dist', '.built'), '');
}

function sources() {
  const files = readdirSync(at('src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return [...files, at('package-lock.json'), at('tsconfig.json'), at('tsconfig.build.json')];
}

/** True when the result is missing or older than anything it was made from. */
function isStale(result, inputs) {
  if (!existsSync(result)) return true;
  const made = statSync(result).mtimeMs;
  return inputs.some((input) => statSync(input).mtimeMs > made);
}

/** Two starts in a fresh clone take turns; a directory is the one thing that is made by exactly one of them. */
function withLock(work) {
  const lock = at('.emboss-setup');
  const deadline = Date.now() + 600_000;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (Date.now() - statSync(lock, { throwIfNoEntry: false })?.mtimeMs > 600_000)
        rmSync(lock, { recursive: true, force: true });
      if (Date.now() > deadline) stop(`another set-up holds ${lock}; remove it if none is running`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
  try {
    work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** Output goes to stderr: stdout belongs to the command. */
function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (error || status !== 0) stop(`"${command} ${args[0]}" failed; see above`);
}

function say(text) {
  process.stderr.write(`emboss: ${text}\n`);
}

function stop(text) {
  rmSync(at('.emboss-setup'), { recursive: true, force: true });
  say(text);
  process.exit(1);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) setUp();
