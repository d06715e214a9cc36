import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../test/support/cli.ts';
import { startTestApp, type TestApp } from '../../test/support/test-app.ts';
import { prepareEmbedded } from '../db/server-login.ts';

let app: TestApp;
let env: Record<string, string>;
beforeAll(async () => {
  const masterKey = randomBytes(32).toString('base64');
  app = await startTestApp({ masterKey });
  env = {
    DATABASE_URL: app.databaseUrl,
    EMBOSS_MASTER_KEY: masterKey,
    DATA_DIR: join(tmpdir(), 'emboss-cli-none'),
  };
});
afterAll(() => app.close());

const run = (...words: string[]) => runCli(env, ['transactions', ...words]);

test('months lists the parts in order, the first of all that came before', async () => {
  const { code, json } = await run('months', '--json');
  expect(code).toBe(0);
  expect(json.parts.slice(0, 2)).toEqual([
    { name: 'transactions_2026', from: null, below: '2027-01-01', state: 'here', bytes: expect.any(Number) },
    {
      name: 'transactions_2027_01',
      from: '2027-01-01',
      below: '2027-02-01',
      state: 'here',
      bytes: expect.any(Number),
    },
  ]);
  const { out } = await run('months');
  expect(out).toMatch(
    /^Part +From +Before +State +Size\ntransactions_2026 +the first +2027-01-01 +here +\d+\.\d MiB\n/,
  );
});

test('nothing is old enough yet', async () => {
  const { code, err } = await run('move-out', '--before', new Date().toISOString().slice(0, 7));
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^emboss: --before: must be \d{4}-\d{2} or earlier/),
  ]);
  expect(await run('move-out', '--before', '2020-01', '--json')).toMatchObject({
    code: 0,
    json: { parts: [] },
  });
  expect((await run('bring-back', '--from', '2020-01')).out).toBe('There is nothing to do.\n');
});

test.each(['2027-13', '2027', 'soon', ''])('%s is no month', async (month) => {
  const { code, err } = await run('move-out', '--before', month);
  expect([code, err]).toEqual([2, expect.stringContaining('Use a month such as 2027-01.')]);
});

test('a login that only serves is told who may', async () => {
  const { url } = await prepareEmbedded(app.databaseUrl);
  const served = await runCli({ ...env, DATABASE_URL: url }, [
    'transactions',
    'bring-back',
    '--from',
    '2027-01',
  ]);
  expect([served.code, served.err]).toEqual([1, expect.stringContaining('MIGRATION_DATABASE_URL')]);
  const both = { ...env, DATABASE_URL: url, MIGRATION_DATABASE_URL: app.databaseUrl };
  expect((await runCli(both, ['transactions', 'bring-back', '--from', '2027-01'])).code).toBe(0);
});
