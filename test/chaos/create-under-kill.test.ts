import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLuhn } from '../../src/kernel/luhn.ts';
import { CARDS } from '../support/cards.ts';
import { ask, type Crowd, startCrowd } from '../support/create-under-faults.ts';
import { sql } from '../support/database.ts';
import { seededRandom, shuffled } from '../support/random.ts';
import {
  embeddedUrl,
  endAll,
  eventually,
  freePort,
  MERCHANT_KEY,
  newDataDir,
  postmasterOf,
  type ServerProcess,
  startServerProcess,
} from '../support/server-process.ts';

type Fault = 'server' | 'database' | 'both';
const FAULTS: Fault[] = ['server', 'server', 'database', 'database', 'both'];
const CLIENTS = 24;
/** Repeat a run with EMBOSS_CHAOS_SEED. */
const SEED = Number(process.env['EMBOSS_CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 32));

let dataDir: string;
let port: number;
let server: ServerProcess;
let crowd: Crowd;
/** What each kill met: requests under way, and how many of them ended without a usable answer. */
const hits: { fault: Fault; inFlight: number; cut: number; awayMs: number }[] = [];

const start = (): Promise<ServerProcess> =>
  startServerProcess(port, { DATA_DIR: dataDir, LOG_LEVEL: 'warn' });

/** Kills in the middle of a burst, and brings back what nobody else would. */
async function strike(fault: Fault): Promise<void> {
  const postmaster = postmasterOf(dataDir);
  const since = performance.now();
  const struck = [...crowd.inFlight].map((order) => ({ order, unknown: order.unknown }));
  if (fault !== 'server') process.kill(postmaster?.pid ?? 0, 'SIGKILL');
  if (fault !== 'database') {
    await server.kill('SIGKILL');
    server = await start();
  }
  await eventually(async () => {
    if (server.child.exitCode !== null) throw new Error(`the server ended: ${server.stderr()}`);
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    if (fault !== 'server') expect(postmasterOf(dataDir)?.pid).not.toBe(postmaster?.pid);
  });
  const cut = struck.filter(({ order, unknown }) => order.unknown > unknown).length;
  hits.push({ fault, inFlight: struck.length, cut, awayMs: Math.round(performance.now() - since) });
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
async function get(path: string): Promise<{ status: number; body: any }> {
  const response = await fetch(server.url + path, { headers: { 'x-payments-api-key': MERCHANT_KEY } });
  return { status: response.status, body: await response.json() };
}

/** As many at a time as there were clients. */
async function forAll<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: CLIENTS }, worker));
}

beforeAll(async () => {
  process.stdout.write(`chaos seed ${SEED}\n`);
  const random = seededRandom(SEED);
  dataDir = newDataDir();
  port = await freePort();
  server = await start();
  crowd = startCrowd(server.url, CLIENTS);
  for (const fault of shuffled(FAULTS, random)) {
    const mark = crowd.acknowledged() + 20 + Math.floor(random() * 40);
    await eventually(() => {
      expect(crowd.acknowledged()).toBeGreaterThanOrEqual(mark);
      expect(crowd.inFlight.size).toBeGreaterThan(CLIENTS / 2);
    });
    await strike(fault);
  }
  await crowd.finish();
}, 120_000);
afterAll(endAll);

test('the faults hit: every kill met requests under way and cut some of each kind', () => {
  const { orders } = crowd;
  const foundLater = orders.filter((order) => order.foundLater).length;
  const summary = `${orders.length} cards, ${foundLater} committed although the answer was lost`;
  process.stdout.write(
    `${hits.map((hit) => `${hit.fault}: ${hit.cut}/${hit.inFlight} cut, back in ${hit.awayMs} ms`).join('\n')}\n${summary}\n`,
  );
  expect(hits.map((hit) => hit.fault).sort()).toEqual([...FAULTS].sort());
  for (const hit of hits) expect(hit.inFlight, hit.fault).toBeGreaterThan(0);
  for (const fault of new Set(FAULTS))
    expect(hits.filter((hit) => hit.fault === fault && hit.cut > 0).length, fault).toBeGreaterThan(0);
});

test('every order ends with one card; nothing but "ask again" was heard in between', () => {
  expect(crowd.surprises).toEqual([]);
  expect(crowd.orders.filter((order) => new Set(order.acknowledged).size !== 1)).toEqual([]);
});

test('asking again tells: the same card, said to be a replay', async () => {
  await forAll(crowd.orders, async (order) => expect(await ask(server.url, order)).toBe('acknowledged'));
  expect(crowd.orders.filter((order) => new Set(order.acknowledged).size !== 1)).toEqual([]);
  expect(crowd.orders.filter((order) => order.acknowledged.length < 2)).toEqual([]);
});

test('every acknowledged card is there, whole, with a number of its own', async () => {
  const numbers = new Set<string>();
  await forAll(crowd.orders, async ({ key, acknowledged }) => {
    const path = `${CARDS}${acknowledged[0]}/`;
    const card = await get(path);
    expect(card).toMatchObject({ status: 200, body: { externalCustomerId: key, status: 'ACTIVE' } });
    const credentials = await get(`${path}credentials/`);
    expect(credentials.status).toBe(200);
    const { cardNumber } = credentials.body as { cardNumber: string };
    expect(isLuhn(cardNumber) && cardNumber.endsWith(card.body.lastFour)).toBe(true);
    numbers.add(cardNumber);
  });
  expect(numbers.size).toBe(crowd.orders.length);
});

test('none twice: one row of each kind per card, and nothing that belongs to no card', async () => {
  const url = embeddedUrl(dataDir);
  const ids = crowd.orders.map((order) => order.acknowledged[0] as string).sort();
  const cards = await sql<{ id: string }>(url, 'select id from cards order by id');
  expect(cards.map((card) => card.id)).toEqual(ids);
  const perCard = {
    event: "select card_id from events where event_name = 'card.created'",
    'audit entry': "select card_id from audit_entries where action = 'card.created'",
    credential: 'select card_id from credentials',
    fingerprint: 'select card_id from card_fingerprints',
    number: "select owner_id as card_id from vault_records where kind = 'number'",
    holder: "select owner_id as card_id from vault_records where kind = 'holder'",
    application: "select owner_id as card_id from vault_records where kind = 'application'",
  };
  for (const [name, statement] of Object.entries(perCard)) {
    const rows = await sql<{ card_id: string }>(url, statement);
    expect(rows.map((row) => row.card_id).sort(), name).toEqual(ids);
  }
  const [kept] = await sql<{ count: string }>(url, 'select count(*) from idempotency_records');
  expect(Number(kept?.count)).toBe(ids.length);
});
