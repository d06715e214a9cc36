import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { CARDS, consumerCard } from '../support/cards/cards.ts';
import { createDatabase, sql, urlOf } from '../support/database/database.ts';
import { holdTable } from '../support/database/hold-table.ts';
import { eventually } from '../support/scripts/eventually.ts';
import { freePort } from '../support/server/free-port.ts';
import {
  call,
  embeddedUrl,
  endAll,
  newDataDir,
  postmasterOf,
  type ServerProcess,
  spawnServer,
  startServerProcess,
} from '../support/server/server-process.ts';

const STOP_LIMIT_MS = 10_000;

afterAll(endAll);

const create = (url: string) => call(url, 'POST', CARDS, consumerCard());
const idOf = ({ status, body }: { status: number; body: string }): string => {
  expect({ status, body }).toMatchObject({ status: 201 });
  return JSON.parse(body).id;
};

/** What a refused start leaves: the exit code, how long it took and what a person reads. */
async function refusal(port: number, env: Record<string, string>) {
  const startedAt = performance.now();
  const server = spawnServer(port, env);
  const exit = await server.ended;
  // Lines of the log are JSON; the rest is for a person at the terminal.
  const result = server
    .stderr()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'));
  expect(server.stdout()).not.toMatch(/^ready/m);
  return { exit, result, tookMs: performance.now() - startedAt };
}

describe('one DATA_DIR', () => {
  let dataDir: string;
  let port: number;
  let server: ServerProcess;
  const start = () => startServerProcess(port, { DATA_DIR: dataDir });

  beforeAll(async () => {
    dataDir = newDataDir();
    port = await freePort();
    server = await start();
  });

  test('prints `ready` and its address on one line, once requests succeed', async () => {
    expect(await server.ready()).toBe(`ready http://127.0.0.1:${port}`);
    expect(server.stdout().match(/^ready/gm)).toHaveLength(1);
    idOf(await create(server.url));
  });

  test('a second server is refused within seconds, in one sentence, and the first keeps serving', async () => {
    const { exit, result, tookMs } = await refusal(await freePort(), { DATA_DIR: dataDir });
    expect(exit).toBe(1);
    expect(result).toEqual([
      expect.stringMatching(/another Emboss server is running on DATA_DIR .*stop it first/),
    ]);
    expect(tookMs).toBeLessThan(STOP_LIMIT_MS);
    idOf(await create(server.url));
  });

  test('SIGTERM: refuses new requests, finishes those in progress, exits with 0 and stops its PostgreSQL', async () => {
    const cards = await holdTable(embeddedUrl(dataDir), 'cards');
    const inFlight = Promise.all(Array.from({ length: 10 }, () => create(server.url)));
    // At least: a job of the worker may wait for the table too.
    await eventually(async () => expect(await cards.waiting()).toBeGreaterThanOrEqual(10));
    const signalledAt = performance.now();
    const exit = server.kill('SIGTERM');
    await eventually(() => expect(call(server.url, 'GET', '/health/live')).rejects.toThrow('ECONNREFUSED'));
    await cards.release();
    for (const answer of await inFlight) idOf(answer);
    expect(await exit).toBe(0);
    expect(performance.now() - signalledAt).toBeLessThan(STOP_LIMIT_MS);
    expect(postmasterOf(dataDir)).toBeUndefined();
  });

  test('after a restart every card is there', async () => {
    server = await start();
    expect(JSON.parse((await call(server.url, 'GET', CARDS)).body).count).toBe(12);
  });

  test('SIGTERM ends it within 10 s even if a request never ends', async () => {
    const cards = await holdTable(embeddedUrl(dataDir), 'cards');
    const stuck = create(server.url).catch((error: Error) => error);
    const sluggish = connect(port, '127.0.0.1', () =>
      sluggish.write('POST /api/v1/merchant/cards/ HTTP/1.1\r\n'),
    );
    sluggish.on('error', () => {});
    await eventually(async () => expect(await cards.waiting()).toBe(1));
    const signalledAt = performance.now();
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(performance.now() - signalledAt).toBeLessThan(STOP_LIMIT_MS);
    // The database gave up on the lock in time, so that even this request got its answer.
    expect(await stuck).toMatchObject({ status: 503 });
    sluggish.destroy();
    await cards.release();
  });
});

describe('one DATABASE_URL', () => {
  const masterKey = randomBytes(32).toString('base64');
  let databaseUrl: string;
  let env: Record<string, string>;
  let servers: ServerProcess[];

  beforeAll(async () => {
    const name = `served_${randomBytes(6).toString('hex')}`;
    await createDatabase(inject('serverUrl'), name);
    databaseUrl = urlOf(inject('serverUrl'), name);
    env = { DATABASE_URL: databaseUrl, EMBOSS_MASTER_KEY: masterKey, DATA_DIR: newDataDir() };
    const ports = [await freePort(), await freePort()];
    servers = await Promise.all(ports.map((port) => startServerProcess(port, env)));
  });

  test('two servers that start together on an empty database agree on one sandbox program', async () => {
    expect(await sql(databaseUrl, 'select from programs')).toHaveLength(1);
    expect(await sql(databaseUrl, 'select from api_keys')).toHaveLength(2);
    expect(await sql(databaseUrl, 'select from vault_keys')).toHaveLength(7);
  });

  test.each([
    [0, 1],
    [1, 0],
  ])('a card created by server %i can be read and revealed by server %i', async (maker, reader) => {
    const id = idOf(await create(servers[maker]?.url ?? ''));
    const path = `${CARDS}${id}/`;
    expect((await call(servers[reader]?.url ?? '', 'GET', path)).status).toBe(200);
    expect((await call(servers[reader]?.url ?? '', 'GET', `${path}credentials/`)).status).toBe(200);
  });

  test('a master key of another database is refused', async () => {
    const { exit, result } = await refusal(await freePort(), {
      ...env,
      EMBOSS_MASTER_KEY: randomBytes(32).toString('base64'),
    });
    expect(exit).toBe(1);
    expect(result).toEqual([
      expect.stringContaining('EMBOSS_MASTER_KEY is not the master key of this database'),
    ]);
  });

  test('a worker alone serves health and metrics and nothing else', async () => {
    const worker = await startServerProcess(await freePort(), { ...env, EMBOSS_ROLES: 'worker' });
    expect((await call(worker.url, 'GET', '/health/ready')).status).toBe(200);
    expect((await call(worker.url, 'GET', CARDS)).status).toBe(404);
    expect(await worker.kill('SIGTERM')).toBe(0);
  });

  test('SIGTERM ends both with 0 and does not stop the external database', async () => {
    expect(await Promise.all(servers.map((server) => server.kill('SIGTERM')))).toEqual([0, 0]);
    expect(await sql(databaseUrl, 'select from cards')).toHaveLength(2);
  });
});
