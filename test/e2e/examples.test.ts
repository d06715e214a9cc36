import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CARDS, consumerCard } from '../support/cards/cards.ts';
import { codeBlocks } from '../support/openapi/code-blocks.ts';
import { readCsv } from '../support/reports/csv.ts';
import { ROOT } from '../support/scripts/sources.ts';
import { freePort } from '../support/server/free-port.ts';
import {
  call,
  endAll,
  MERCHANT_KEY,
  NETWORK_KEY,
  ownDatabase,
  type ServerProcess,
  startServerProcess,
} from '../support/server/server-process.ts';

const run = promisify(execFile);
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

test('the tour of the README equals the script in examples/', () => {
  const readme = read('README.md');
  const tour = readme.slice(readme.indexOf('## A tour'), readme.indexOf('The same with the SDK'));
  const steps = codeBlocks(tour, 'sh').join('\n');
  expect(steps.length).toBeGreaterThan(1_000);
  const script = read('examples/tour.sh');
  expect(script.slice(script.indexOf('KEY='))).toBe(steps);
});

describe('against a real server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'emboss-examples-'));
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startServerProcess(await freePort(), await ownDatabase());
  });
  afterAll(async () => {
    await endAll();
    rmSync(directory, { recursive: true });
  });

  test('the tour ends with an approval, a decline with its reason, and a report', async () => {
    const env = {
      PATH: process.env['PATH'],
      EMBOSS_SANDBOX_API_KEY: MERCHANT_KEY,
      API: `${server.url}/api/v1`,
    };
    const { stdout } = await run('sh', [join(ROOT, 'examples/tour.sh')], { cwd: directory, env });
    expect(stdout).toMatch(/"cardNumber":"\d{16}"/);
    expect(stdout).toContain('"approved":true');
    expect(stdout).toContain('"decline_reason":"insufficient_funds"');
    const report = stdout.slice(stdout.indexOf('event_time,'));
    expect(report).toMatch(/,authorization,/);
    expect(report).toMatch(/,authorization\.clearing,.*,14\.00,/);
    // The sandbox program is funded with 100,000.00, and charges 1.5 % abroad.
    const { rows } = readCsv(report);
    expect(rows[0]).toMatchObject({ event: 'authorization', out: '12.50', balance: '99987.50' });
    expect(rows.find(({ currency }) => currency === 'USD')).toMatchObject({
      bill_amount: '18.40',
      fx_fee: '0.28',
    });
    expect(rows.at(-1)).toMatchObject({ balance: '99967.32' });
  });

  test.each([
    ['a wrong key', () => `${server.url}/api/v1`, /returned error: 401/],
    ['no server', () => 'http://127.0.0.1:9/api/v1', /connect to 127\.0\.0\.1/],
  ])('with %s the tour stops at its first step with an error', async (_name, api, words) => {
    const env = { PATH: process.env['PATH'], EMBOSS_SANDBOX_API_KEY: 'not-the-merchant-key', API: api() };
    const failed = run('sh', [join(ROOT, 'examples/tour.sh')], { cwd: directory, env, timeout: 60_000 });
    await expect(failed).rejects.toMatchObject({
      killed: false,
      stdout: '',
      stderr: expect.stringMatching(words),
    });
  });

  test('the page about authentication: a code, a purchase that uses it, and an approval in the app', async () => {
    await call(server.url, 'POST', CARDS, consumerCard());
    const steps = codeBlocks(read('docs/authentication.md'), 'sh').join('\n');
    const env = {
      PATH: process.env['PATH'],
      EMBOSS_SANDBOX_API_KEY: MERCHANT_KEY,
      EMBOSS_SANDBOX_NETWORK_KEY: NETWORK_KEY,
      API: `${server.url}/api/v1`,
    };
    const { stdout } = await run('sh', ['-ec', steps], { cwd: directory, env });
    const [begun, attempted, authorized, enabled, answered] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([begun.status, attempted.status, authorized.approved]).toEqual([
      'CHALLENGE',
      'AUTHENTICATED',
      true,
    ]);
    expect([enabled, answered.status, answered.method]).toEqual([
      { enabled: true },
      'AUTHENTICATED',
      'OUT_OF_BAND',
    ]);
  });

  test('so does the tour with the SDK', async () => {
    const env = { PATH: process.env['PATH'], EMBOSS_SANDBOX_API_KEY: MERCHANT_KEY, EMBOSS_URL: server.url };
    const { stdout } = await run(process.execPath, [join(ROOT, 'examples/sdk/tour.mjs')], {
      cwd: directory,
      env,
    });
    const lines = stdout.trim().split('\n');
    expect(lines.slice(1, 4)).toEqual([
      'approved: true, 12.50 EUR',
      'approved: false, because of insufficient_funds',
      'left: 236.00 EUR',
    ]);
    expect(lines[6]).toMatch(/^refused with 400, field amount: /);
    const fileName = /report (\S+)$/.exec(stdout.trim())?.[1] as string;
    expect(readFileSync(join(directory, fileName), 'utf8')).toMatch(/,authorization\.clearing,/);
  });
});
