import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { freshDatabase, runSettings, sql } from '../../test/support/database/database.ts';
import { ROOT } from '../../test/support/scripts/sources.ts';
import { runCli } from '../../test/support/server/cli.ts';
import { freePort } from '../../test/support/server/free-port.ts';
import {
  endAll,
  newDataDir,
  postmasterOf,
  spawnServer,
  startServerProcess,
} from '../../test/support/server/server-process.ts';

const COMMAND = join(ROOT, 'bin/emboss.mjs');

afterAll(endAll);

/**
 * Runs Node as a child process with only the given environment and what this run needs. `until` defines when to send a
 * signal.
 */
async function run(env: Record<string, string>, args: string[], until?: [RegExp, NodeJS.Signals]) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...runSettings(), ...env },
  });
  const output = { out: '', err: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.err += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
    if (until?.[0].test(output.out)) child.kill(until[1]);
  });
  const [code] = await once(child, 'close');
  return { code: code as number | null, ...output };
}

/** Runs the command that a start has shown. */
async function tryCurl(shown: string, key = ''): Promise<void> {
  const command = /^curl [\s\S]*?'$/m.exec(shown)?.[0].replace('<your merchant key>', key) as string;
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command.replace('curl', 'curl -s')}`]);
  expect(JSON.parse(stdout)).toMatchObject({ cardholderName: 'Ada Lovelace', status: 'ACTIVE' });
}

const settings = async (port: number) => ({
  DATABASE_URL: await freshDatabase(),
  EMBOSS_MASTER_KEY: randomBytes(32).toString('base64'),
  PORT: String(port),
});

describe('emboss start', () => {
  test('with a port in use: one sentence, exit code 1, and no keys are created', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const env = await settings(port);
    expect(await run({ ...env, LOG_LEVEL: 'silent' }, [COMMAND, 'start'])).toEqual({
      code: 1,
      out: '',
      err: `emboss: cannot listen on 127.0.0.1 port ${port}: another program uses it; stop that program, or set another PORT or HOST\n`,
    });
    expect(await sql(env.DATABASE_URL, 'select from programs')).toEqual([]);
    other.close();
  });

  test('with an invalid setting: one sentence, exit code 1', async () => {
    const { code, err, json } = await runCli({ DATABASE_POOL_SIZE: 'many' }, ['start', '--json']);
    const message = 'DATABASE_POOL_SIZE must be a whole number from 2 to 500';
    expect({ code, err }).toEqual({ code: 1, err: `emboss: ${message}\n` });
    expect(json).toEqual({ code: 500, message, status: 'failed' });
  });

  test('prints the first keys once, on stdout, and `ready` last; the printed curl command and sign-in work', async () => {
    const env = await settings(await freePort());
    const first = spawnServer(Number(env.PORT), {
      ...env,
      EMBOSS_SANDBOX_API_KEY: '',
      EMBOSS_SANDBOX_NETWORK_KEY: '',
    });
    await first.ready();
    const out = first.stdout();
    expect(out.endsWith(`\nready http://127.0.0.1:${env.PORT}\n`)).toBe(true);
    const keys = out.match(/(Merchant|Network) key +emboss_\w+/g) as string[];
    expect(keys).toHaveLength(2);
    await tryCurl(out);
    const [, email, password] = /Sign-in +(\S+) +(\S+)/.exec(out) ?? [];
    const signIn = await fetch(`${first.url}/console/api/session/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(signIn.status).toBe(200);
    // Other tests hash passwords at a lower cost.
    const hashes = () => sql<{ password: string }>(env.DATABASE_URL, 'select password from operators');
    const ofProduct = [{ password: expect.stringMatching(/^scrypt\$65536\$8\$2\$/) }];
    const generated = await hashes();
    expect(generated).toEqual(ofProduct);
    const changed = await fetch(`${first.url}/console/api/session/password/`, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        cookie: signIn.headers
          .getSetCookie()
          .map((line) => line.split(';')[0])
          .join('; '),
        'x-csrf-token': ((await signIn.json()) as { csrfToken: string }).csrfToken,
      },
      body: JSON.stringify({ currentPassword: password, newPassword: 'my own 1 and only' }),
    });
    expect(changed.status).toBe(200);
    expect(await hashes()).toEqual(ofProduct);
    expect(await hashes()).not.toEqual(generated);
    expect(await first.kill('SIGTERM')).toBe(0);
    for (const key of keys) expect(first.stderr()).not.toContain(key.split(/ +/)[2]);
    const second = await run(env, [COMMAND, 'start'], [/^ready .*\n/m, 'SIGINT']);
    expect(second.code).toBe(0);
    expect(second.out).not.toMatch(/emboss_(merchant|network)_/);
    expect(second.out).toContain("-H 'x-payments-api-key: <your merchant key>'");
    expect(second.out).toContain(`PORT=${env.PORT} npx emboss key create`);
    expect(second.out).toMatch(/operator reset-password <e-mail> +generate a new password/);
  });

  test('with SANDBOX_PROGRAMS=off creates no program, and prints how to create one', async () => {
    const env = { ...(await settings(await freePort())), SANDBOX_PROGRAMS: 'off' };
    const { code, out } = await run(env, [COMMAND, 'start'], [/^ready .*\n/m, 'SIGTERM']);
    expect([code, await sql(env.DATABASE_URL, 'select from programs')]).toEqual([0, []]);
    for (const step of ['program create --mode live', 'operator add <e-mail> --role admin'])
      expect(out).toContain(step);
    expect(out).not.toContain('emboss demo');
    for (const command of [['demo'], ['program', 'create', '--name', 'A', '--currency', 'EUR']]) {
      const { code: refused, err } = await runCli(env, command);
      expect([refused, err]).toEqual([1, 'emboss: sandbox programs are disabled: SANDBOX_PROGRAMS is off\n']);
    }
    expect(await sql(env.DATABASE_URL, 'select from programs')).toEqual([]);
  });

  test('with a chosen sandbox key: the printed curl command works with it, and no output contains it; with one set after the first start: prints a command that creates such a key', async () => {
    const env = {
      ...(await settings(await freePort())),
      EMBOSS_SANDBOX_API_KEY: 'chosen-merchant-key',
    };
    const server = spawnServer(Number(env.PORT), env);
    await server.ready();
    expect(server.stdout() + server.stderr()).not.toContain(env.EMBOSS_SANDBOX_API_KEY);
    await tryCurl(server.stdout(), env.EMBOSS_SANDBOX_API_KEY);
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(server.stdout()).not.toContain('not a valid key');
    await runCli(env, ['program', 'create', '--name', 'Second', '--currency', 'EUR']);
    const tooLate = {
      EMBOSS_SANDBOX_API_KEY: 'chosen-much-too-late',
      EMBOSS_SANDBOX_NETWORK_KEY: 'network-much-too-late',
    };
    const late = await run({ ...env, ...tooLate }, [COMMAND, 'start'], [/^ready .*\n/m, 'SIGTERM']);
    expect(late.out).not.toContain('curl');
    expect(late.err).toContain('EMBOSS_SANDBOX_API_KEY is not a valid key in this database');
    expect(late.out + late.err).not.toContain('much-too-late');
    const advice = /EMBOSS_SANDBOX_(?:API|NETWORK)_KEY is not a valid key .* npx emboss (key create[^"]*)"/g;
    const kinds: string[] = [];
    for (const [, command = ''] of late.out.matchAll(advice)) {
      kinds.push((await runCli(env, ['--json', ...command.split(' ')])).json.kind);
    }
    expect(kinds).toEqual(['merchant', 'network']);
  });

  test('with --json stdout is one document, printed when the server is ready', async () => {
    const env = { ...(await settings(await freePort())), EMBOSS_SANDBOX_API_KEY: 'chosen-merchant-key' };
    const { code, out } = await run(env, [COMMAND, '--json', 'start'], [/^\}\n/m, 'SIGTERM']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      status: 'ready',
      url: `http://127.0.0.1:${env.PORT}`,
      database: 'DATABASE_URL',
      merchantKey: null,
      networkKey: expect.stringMatching(/^emboss_sandbox_network_/),
      operator: {
        email: 'admin@emboss.local',
        password: expect.stringMatching(/^([2-9a-z]{4}-){4}[2-9a-z]{4}$/),
      },
    });
  });
});

describe('the embedded PostgreSQL', () => {
  test.each([
    ['program', 'list'],
    ['program', 'create', '--name', 'Stray', '--currency', 'EUR'],
    ['operator', 'add', 'ada@example.com'],
    ['listen'],
    ['vault', 'status'],
    ['ledger', 'verify'],
  ])('is not created by %s %s', async (...args) => {
    const DATA_DIR = join(newDataDir(), 'nothing');
    const message = `there is no Emboss data in ${DATA_DIR}; set DATA_DIR or DATABASE_URL, or start a server first ("emboss start", or "emboss migrate")`;
    expect(await runCli({ DATA_DIR }, args)).toMatchObject({ code: 1, out: '', err: `emboss: ${message}\n` });
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  test.runIf(process.platform === 'linux')('reports a data directory that cannot be created', async () => {
    const { code, err } = await runCli({ DATA_DIR: '/proc/emboss/data' }, ['migrate']);
    expect(code).toBe(1);
    expect(err).toMatch(/^emboss: DATA_DIR \/proc\/emboss\/data cannot be used \(\w+\): use a directory/);
  });

  test('is started for a command and stopped after it; the PostgreSQL of a running server is used and left running', async () => {
    const DATA_DIR = newDataDir();
    const port = await freePort();
    const env = { DATA_DIR, PORT: String(port) };
    const migrated = await run(env, [COMMAND, 'migrate', '--json']);
    expect(migrated).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^emboss: a master key was generated in .*\n$/),
    });
    expect(JSON.parse(migrated.out).applied).toEqual([expect.stringMatching(/^000001_/)]);
    expect(postmasterOf(DATA_DIR)).toBeUndefined();

    const server = await startServerProcess(port, { DATA_DIR });
    expect(server.stdout()).toContain(`DATA_DIR=${DATA_DIR} PORT=${port} npx emboss listen`);
    const before = postmasterOf(DATA_DIR);
    const { key } = (await runCli(env, ['key', 'create', '--json'])).json;
    const headers = { 'x-payments-api-key': key };
    expect((await fetch(`${server.url}/api/v1/merchant/cards/`, { headers })).status).toBe(200);
    expect((await runCli(env, ['doctor', '--json'])).json).toMatchObject({ ok: true });
    expect(postmasterOf(DATA_DIR)).toEqual(before);
    expect(await server.kill('SIGTERM')).toBe(0);

    expect(await runCli(env, ['doctor'])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(
        /ok {4}fsync is on\nok {4}synchronous_commit is on\nok {4}full_page_writes is on\n.* 0 warnings, 0 failed/s,
      ),
    });
    expect(postmasterOf(DATA_DIR)).toBeUndefined();
  });
});

test.each([
  ['an exception', 'throw new Error("lost 9999001234567891")'],
  ['a rejection', 'Promise.reject(new Error("lost 9999001234567891"))'],
])('%s that is not handled is logged, then the server exits with 1', async (_name, crash) => {
  const script = `
    const { createLogger } = await import('${ROOT}/src/http/logging.ts');
    const { exitOnCrash } = await import('${ROOT}/src/cli/crash.ts');
    const { processTerminal } = await import('${ROOT}/src/cli/terminal.ts');
    const { logger, flush } = createLogger('info');
    const terminal = processTerminal();
    exitOnCrash(logger, (code, sentence) => { flush(); terminal.err(sentence + '\\n'); process.exit(code); });
    setInterval(() => {}, 1000);
    const answered = { reqId: 'req_1', method: 'GET', route: '/', status: 200, ms: 1, address: null };
    setTimeout(() => { logger.info(answered, 'answered'); ${crash} }, 50);`;
  const { code, err } = await run({}, ['--import', 'tsx', '--input-type=module', '-e', script]);
  expect(code).toBe(1);
  expect(err).toContain('"reqId":"req_1"');
  expect(err).toContain('"msg":"ended by an unhandled error"');
  expect(err).toMatch(/^ended by an unhandled error: lost /m);
  expect(err).not.toContain('9999001234567891');
});
