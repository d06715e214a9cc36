import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCard } from '../../test/support/cards.ts';
import { runCli } from '../../test/support/cli.ts';
import { setClock } from '../../test/support/clock.ts';
import { readCsv } from '../../test/support/csv.ts';
import { readReport } from '../../test/support/reports.ts';
import { swipe } from '../../test/support/swipe.ts';
import { startTestApp, type TestApp } from '../../test/support/test-app.ts';
import { fundProgram } from '../programs/fund-program.ts';

const masterKey = Buffer.alloc(32, 7).toString('base64');
let app: TestApp;
let env: Record<string, string>;

beforeAll(async () => {
  app = await startTestApp({ masterKey });
  env = { DATABASE_URL: app.databaseUrl, EMBOSS_MASTER_KEY: masterKey };
  await setClock(app, '2030-06-10T12:00:00Z');
  await fundProgram(app.db, app.program.id, { amountMinor: 50_000n }, 'test');
  await swipe(app, (await createCard(app)).id, '12.00');
  await setClock(app, '2030-06-12T00:00:00Z');
});
afterAll(() => app.close());

const report = (...args: string[]) => runCli(env, ['report', ...args]);

test('the same bytes as the file that HTTP hands out, and nothing else on stdout', async () => {
  const { code, out, err } = await report('daily', '--date', '2030-06-10');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(readCsv(out)).toEqual(await readReport(app, 'daily', '2030-06-10'));
  expect(readCsv(out).rows.map(({ cardholder_name }) => cardholder_name)).toEqual(['', 'Ada Lovelace']);
});

test.each([
  [1, ['daily', '--date', '2030-06-11'], 'date: must be at least two days before today'],
  [1, ['monthly', '--date', '2030-06-01'], 'date: must lie in a month that ended'],
  [2, ['daily', '--date', '2030-02-30'], 'Give a day that exists'],
  [2, ['daily'], "required option '--date"],
  [2, ['weekly', '--date', '2030-06-01'], 'Allowed choices are monthly, daily'],
  [3, ['daily', '--date', '2030-06-01', '--program', 'nobody'], 'There is no program "nobody"'],
])('exit code %i: %j', async (exitCode, args, message) => {
  const { code, out, err } = await report(...args);
  expect({ code, out }).toEqual({ code: exitCode, out: '' });
  expect(err).toContain(message);
});
