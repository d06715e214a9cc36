import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from './support/scripts/sources.ts';

/** Not among our dependencies: 160 packages that nothing else needs. `openapi-typescript` is in openapi-documents.test.ts. */
const GENERATORS = ['@hey-api/openapi-ts@0.99.0', 'orval@8.30.0'];

const directory = mkdtempSync(join(tmpdir(), 'emboss-generators-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const write = (name: string, content: unknown) =>
  writeFileSync(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
const run = (script: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(directory, 'node_modules', script), ...args], { cwd: directory });

beforeAll(() => {
  write('package.json', { private: true, type: 'module' });
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', ['install', ...flags, ...GENERATORS, 'typescript@6.0.3'], {
    cwd: directory,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});

test('the clients that other generators make of the public API compile with a strict compiler', () => {
  const input = join(ROOT, 'openapi.json');
  run('@hey-api/openapi-ts/bin/run.js', '--input', input, '--output', 'hey-api', '--no-log-file');
  const config = { emboss: { input, output: { target: 'orval/client.ts', client: 'fetch' } } };
  write('orval.config.mjs', `export default ${JSON.stringify(config)}`);
  run('orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs');
  write(
    'use.ts',
    `import { createCard } from './hey-api/index.ts';
     import type { AuthorizationDeclinedEvent as One } from './hey-api/index.ts';
     import { type AuthorizationDeclinedEvent as Other, createCard as create } from './orval/client.ts';
     export const reasons = (one: One, other: Other): string[] => [one.data.decline_reason, other.data.decline_reason];
     export const codes = (one: One, other: Other): Array<string | null> => [one.data.approval_code, other.data.approval_code];
     export const calls = [createCard, create];`,
  );
  const options = { strict: true, noEmit: true, target: 'es2023', module: 'esnext', types: [] };
  const more = { moduleResolution: 'bundler', allowImportingTsExtensions: true, lib: ['es2023', 'dom'] };
  write('tsconfig.json', {
    compilerOptions: { ...options, ...more },
    include: ['*/*.ts', '*/*/*.ts', 'use.ts'],
  });
  const compiler = join(ROOT, 'node_modules/ts7/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', directory], { encoding: 'utf8' });
  expect(stdout).toBe('');
});
