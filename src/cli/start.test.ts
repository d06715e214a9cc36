import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, sql } from '../../test/support/database.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMMAND = ['--import', 'tsx', 'bin/dev.mjs'];
const running = new Set<ChildProcess>();

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** The command as a process of its own, with no environment but the one given. */
function launch(env: Record<string, string>, args: string[]) {
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { PATH: process.env['PATH'], ...env } });
  running.add(child);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    child.emit('said', out);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended: Promise<Ended> = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { code: code as number | null, out, err };
  });
  return { child, ended };
}

let taken: Server;
let takenPort: string;
beforeAll(async () => {
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  takenPort = String((taken.address() as { port: number }).port);
});
afterAll(() => {
  taken.close();
  for (const child of running) child.kill('SIGKILL');
});

const settings = async (port: string) => ({
  DATABASE_URL: await freshDatabase(),
  EMBOSS_MASTER_KEY: randomBytes(32).toString('base64'),
  PORT: port,
});

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await new Promise((closed) => probe.close(closed));
  return String(port);
}

describe.concurrent('emboss start', () => {
  test('a port that is taken: one sentence, exit 1, and the first keys are not made in vain', async ({
    expect,
  }) => {
    const env = await settings(takenPort);
    const { code, out, err } = await launch({ ...env, LOG_LEVEL: 'silent' }, [...COMMAND, 'start']).ended;
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      `emboss: cannot listen on 127.0.0.1 port ${takenPort}: another program uses it; stop that program, or set another PORT or HOST\n`,
    );
    expect(await sql(env.DATABASE_URL, 'select from programs')).toEqual([]);
  });

  test('a bad setting: one sentence, exit 1', async ({ expect }) => {
    const { code, out, err } = await launch({ DATABASE_POOL_SIZE: 'many' }, [...COMMAND, 'start', '--json'])
      .ended;
    expect(code).toBe(1);
    expect(err).toBe('emboss: DATABASE_POOL_SIZE must be a whole number from 2 to 500\n');
    expect(JSON.parse(out)).toMatchObject({ code: 500, status: 'failed' });
  });

  test('says where it is, the keys once, and ready last; SIGTERM ends it with 0', async ({ expect }) => {
    const port = await freePort();
    const { child, ended } = launch(await settings(port), [...COMMAND, 'start']);
    const url = `http://127.0.0.1:${port}`;
    const said = await firstOutput(child, /^ready .*\n/m);
    expect(said.endsWith(`\nready ${url}\n`)).toBe(true);
    const key = /emboss_merchant_\w+/.exec(said)?.[0] as string;
    const headers = { 'x-payments-api-key': key };
    expect((await fetch(`${url}/api/v1/merchant/cards/`, { headers })).status).toBe(200);
    child.kill('SIGTERM');
    const { code, out, err } = await ended;
    expect({ code, out }).toEqual({ code: 0, out: said });
    expect(err).not.toContain(key);
  });

  test('with --json stdout is one document, printed when it is ready', async ({ expect }) => {
    const env = { ...(await settings(await freePort())), EMBOSS_SANDBOX_API_KEY: 'chosen-merchant-key' };
    const { child, ended } = launch(env, [...COMMAND, '--json', 'start']);
    const said = JSON.parse(await firstOutput(child, /\}\n$/));
    expect(said).toEqual({
      status: 'ready',
      url: `http://127.0.0.1:${env.PORT}`,
      database: 'DATABASE_URL',
      merchantKey: null,
      networkKey: expect.stringMatching(/^emboss_network_/),
    });
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
  });
});

const firstOutput = (child: ChildProcess, wanted: RegExp): Promise<string> =>
  new Promise((found, failed) => {
    child.on('said', (out: string) => wanted.test(out) && found(out));
    child.on('close', () => failed(new Error('ended before it said so')));
  });

test.each([
  ['an exception', 'setImmediate(() => { throw new Error("lost 4000056655665556") })'],
  ['a rejection', 'Promise.reject(new Error("lost 4000056655665556"))'],
])('%s that nobody handles is logged, then the process ends with 1', async (_name, crash) => {
  const script = `
    import { createLogger } from './src/http/logging.ts';
    import { exitOnCrash } from './src/cli/crash.ts';
    import { processTerminal } from './src/cli/terminal.ts';
    const log = createLogger('info');
    setInterval(() => {}, 1000);
    exitOnCrash(log, (code, sentence) => { log.flush(); processTerminal().err(sentence + '\\n'); process.exit(code); });
    setTimeout(() => { ${crash} }, 50);`;
  const { code, err } = await launch({}, ['--import', 'tsx', '--input-type=module', '-e', script]).ended;
  expect(code).toBe(1);
  expect(err).toContain('"msg":"ended by an error that nobody handled"');
  expect(err).toMatch(/^ended by an error that nobody handled: lost /m);
  expect(err).not.toContain('4000056655665556');
});
