import { exec } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { beforeAll, expect, test } from 'vitest';
import { createCard } from '../../test/support/cards/cards.ts';
import { swipe } from '../../test/support/cards/swipe.ts';
import { readCsv } from '../../test/support/reports/csv.ts';
import { readReport } from '../../test/support/reports/reports.ts';
import { ROOT } from '../../test/support/scripts/sources.ts';
import { runCli } from '../../test/support/server/cli.ts';
import { setClock } from '../../test/support/server/clock.ts';
import { fund } from '../../test/support/server/fund.ts';
import { appForTests } from '../../test/support/server/test-app.ts';
import { runCommandLine } from './emboss.ts';

const app = appForTests();

beforeAll(async () => {
  await setClock(app, '2030-06-10T12:00:00Z');
  await fund(app, 50_000n);
  await swipe(app, (await createCard(app)).id, '12.00');
  await setClock(app, '2030-06-12T00:00:00Z');
});

const report = (...args: string[]) => runCli(app.env, ['report', ...args]);

test('stdout has exactly the bytes of the file that the API serves', async () => {
  const { code, out, err } = await report('daily', '--date', '2030-06-10');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(readCsv(out)).toEqual(await readReport(app, 'daily', '2030-06-10'));
  expect(readCsv(out).rows.map(({ cardholder_name }) => cardholder_name)).toEqual(['', 'Ada Lovelace']);
});

/** The output with stderr as a terminal; the rows go to `stdout`. */
async function watched(stdout: Writable & { isTTY?: boolean }) {
  const shown = { out: '', err: '' };
  const code = await runCommandLine(['report', 'daily', '--date', '2030-06-10'], {
    env: app.env,
    out: (text) => {
      shown.out += text;
    },
    err: (text) => {
      shown.err += text;
    },
    stdout,
    color: false,
    live: true,
  });
  return { code, ...shown };
}

test('progress is shown immediately, and not between rows that go to the terminal', async () => {
  const file = await watched(new PassThrough().resume());
  expect(file.code).toBe(0);
  expect(file.err.slice(5)).toMatch(/^emboss-daily-2030-06-10\.csv ░+ +0 %/);
  const screen = await watched(Object.assign(new PassThrough().resume(), { isTTY: true }));
  expect(screen).toMatchObject({ code: 0, err: '' });
});

test('an output that cannot be written is a failure in one sentence; a closed pipe is not a failure', async () => {
  const failing = (code: string) =>
    new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write failed'), { code })),
    });
  const full = await watched(failing('ENOSPC'));
  expect(full.code).toBe(1);
  expect(full.err).toMatch(/emboss: cannot write the output: ENOSPC\n$/);
  expect((await watched(failing('EPIPE'))).code).toBe(0);
});

test('every command reports a full disk in one sentence', async () => {
  const command = `"${process.execPath}" "${join(ROOT, 'bin/emboss.mjs')}"`;
  for (const args of ['report daily --date 2030-06-10', 'program list']) {
    const { code, stderr } = await shell(`${command} ${args} > /dev/full`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'emboss: cannot write the output: ENOSPC\n' });
  }
});

const shell = (command: string) =>
  new Promise<{ code: number; stderr: string }>((resolve) => {
    exec(command, { env: { ...process.env, ...app.env } }, (error, _stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stderr }),
    );
  });

test('the export is audited before the first row is written', async () => {
  const refused = await watched(new Writable({ write: (_chunk, _encoding, done) => done(new Error('no')) }));
  expect(refused.code).toBe(1);
  const entries = await app.sql<{ actor: string; after: unknown }>(
    `select actor, after from audit_entries where program_id = $1 and action = 'report.exported' order by id`,
    [app.program.id],
  );
  expect(entries.at(-1)).toEqual({
    actor: expect.stringMatching(/^cli:./),
    after: { fileType: 'daily', firstDay: '2030-06-10', lastDay: '2030-06-10' },
  });
});

test('it fails if the bytes differ from those delivered before', async () => {
  await readReport(app, 'fee', '2030-06-10');
  expect((await report('fee', '--date', '2030-06-10')).code).toBe(0);
  await app.sql(`update reports set sha256 = '\\x00' where file_type = 'fee'`);
  const { code, err } = await report('fee', '--date', '2030-06-10');
  expect(code).toBe(1);
  expect(err).toContain('differs from the file that was delivered before');
});

test.each([
  [1, ['daily', '--date', '2030-06-11'], 'date: must be at least two days before today'],
  [1, ['monthly', '--date', '2030-06-01'], 'date: must be in a past month'],
  [2, ['daily', '--date', '2030-02-30'], 'Use a valid date'],
  [2, ['daily'], "required option '--date"],
  [2, ['weekly', '--date', '2030-06-01'], 'Allowed choices are monthly, daily'],
  [3, ['daily', '--date', '2030-06-01', '--program', 'unknown'], 'There is no program "unknown"'],
])('exit code %i: %j', async (exitCode, args, message) => {
  const { code, out, err } = await report(...args);
  expect({ code, out }).toEqual({ code: exitCode, out: '' });
  expect(err).toContain(message);
});
