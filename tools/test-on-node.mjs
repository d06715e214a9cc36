// Runs the tests on another version of Node: npm run test:node -- 22 [test files…]. Installs the binary from the
// package of this platform, because the package `node` would download it with an install script.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [version, ...files] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version ?? '')) {
  process.stderr.write('Say which version: npm run test:node -- 22 [test files…]\n');
  process.exit(2);
}

const run = (command, args, options) => {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
};

const folder = join(root, 'node_modules', '.cache', 'node', version);
const name = `node-${process.platform}-${process.arch}`;
const bin = join(folder, 'node_modules', name, 'bin');
if (!existsSync(join(bin, 'node'))) {
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  run('npm', ['install', `--prefix=${folder}`, ...options, `${name}@${version}`], { cwd: folder });
}
// Child processes of the tests, started by `process.execPath` or by name, use this version too.
const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) };
run(join(bin, 'node'), ['--version']);
run(join(bin, 'node'), [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files], { cwd: root, env });
