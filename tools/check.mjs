// Types, format, lint and unused code: npm run check. The tools run side by side, because some of them use one core for
// much of their time; each prints what it found when it has ended.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const TSC = 'node_modules/ts7/bin/tsc';
const CHECKS = [
  ['oxlint', 'node_modules/oxlint/bin/oxlint'],
  ['types', TSC, '-p', 'tsconfig.json', '--checkers', '2'],
  ['knip', 'node_modules/knip/bin/knip.js'],
  ['biome', 'node_modules/@biomejs/biome/bin/biome', 'check'],
  ['types of console', TSC, '-p', 'console', '--checkers', '2'],
  ['types of sdk', TSC, '-p', 'sdk'],
];

const run = ([name, ...args]) =>
  new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    child.on('close', (code) => {
      process.stdout.write(`${code === 0 ? 'passed' : 'FAILED'}: ${name}\n${output}`);
      done(code);
    });
  });

const codes = await Promise.all(CHECKS.map(run));
process.exitCode = codes.some((code) => code !== 0) ? 1 : 0;
