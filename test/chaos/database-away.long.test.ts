import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../support/database/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database/database-proxy.ts';
import { journalFindings, ledgerFindings } from '../support/database/money-checks.ts';
import { eventually } from '../support/scripts/eventually.ts';
import {
  addCard,
  type Credentials,
  type Fleet,
  purchase,
  type Reply,
  startFleet,
} from '../support/server/server-fleet.ts';

/** A network waits a few seconds for an issuer, then stands in for it. */
const QUICK_MS = 5_000;
const CLIENTS = 16;

interface AnsweredRequest {
  id: string;
  startedMs: number;
  endedMs: number;
  reply: Reply;
}

/** Clients that authorize one after the other until they are stopped, and keep the responses. */
function startClients(fleet: Fleet, card: Credentials, run: string) {
  const requests: AnsweredRequest[] = [];
  let stopping = false;
  let count = 0;
  const client = async (): Promise<void> => {
    while (!stopping) {
      const id = `${run}-${++count}`;
      const startedMs = performance.now();
      const reply = await fleet.network(0, 'authorizations/', purchase(id, card, '1.00'));
      requests.push({ id, startedMs, endedMs: performance.now(), reply });
    }
  };
  const running = Promise.all(Array.from({ length: CLIENTS }, client));
  const stop = async (): Promise<void> => {
    stopping = true;
    await running;
  };
  const answeredSince = (ms: number, status: number): AnsweredRequest[] =>
    requests.filter(({ startedMs, reply }) => startedMs > ms && reply.status === status);
  return { requests, stop, answeredSince };
}
type Clients = ReturnType<typeof startClients>;

const statusesOf = ({ requests }: Clients): number[] =>
  [...new Set(requests.map(({ reply }) => reply.status))].sort();

/** A repeated request gets the same response, and one without a response gets it now. */
async function expectKept(fleet: Fleet, card: Credentials, { requests }: Clients): Promise<void> {
  const pending = requests.values();
  const client = async (): Promise<void> => {
    for (const { id, reply } of pending) {
      const again = await fleet.network(0, 'authorizations/', purchase(id, card, '1.00'));
      expect(again.status).toBe(200);
      if (reply.status === 200) expect(again.body).toEqual(reply.body);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

const expectSound = async (url: string): Promise<void> =>
  expect([...(await ledgerFindings(url)), ...(await journalFindings(url))]).toEqual([]);

describe('the connection to PostgreSQL is cut', () => {
  let databaseUrl: string;
  let proxy: DatabaseProxy & { close(): Promise<void> };
  let fleet: Fleet;
  let card: Credentials;
  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    proxy = await startDatabaseProxy(databaseUrl);
    fleet = await startFleet(1, proxy.url);
    card = (await addCard(fleet, { spendLimit: 100_000 })).credentials;
  });
  afterAll(async () => {
    await proxy.restore();
    await fleet.close();
    await proxy.close();
  });

  test.each([
    ['refused', () => proxy.refuse(), 100],
    // No connection is closed: every request has to detect the silence itself.
    ['silent', async () => proxy.fallSilent(), CLIENTS],
  ])('%s: 503 within seconds, and recovery without intervention', async (way, goAway, responses) => {
    const clients = startClients(fleet, card, way);
    await eventually(() => expect(clients.requests.length).toBeGreaterThan(100));
    const awayMs = performance.now();
    await goAway();
    await eventually(() => expect(clients.answeredSince(awayMs, 503).length).toBeGreaterThan(responses));
    await proxy.restore();
    const restoredMs = performance.now();
    await eventually(() => expect(clients.answeredSince(restoredMs, 200).length).toBeGreaterThan(100));
    await clients.stop();
    expect(statusesOf(clients)).toEqual([200, 503]);
    // Those under way when it went are among them.
    const waits = clients.answeredSince(0, 503).map(({ startedMs, endedMs }) => endedMs - startedMs);
    process.stdout.write(`${way}: slowest 503 after ${Math.round(Math.max(...waits))} ms\n`);
    expect(Math.max(...waits)).toBeLessThan(QUICK_MS);
    await expectKept(fleet, card, clients);
    await expectSound(databaseUrl);
  });
});
