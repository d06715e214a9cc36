import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CARDS, consumerCard } from '../support/cards/cards.ts';
import { sql } from '../support/database/database.ts';
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
  startServerProcess,
} from '../support/server/server-process.ts';

/** Both servers of this file use it, one after the other: the second start needs no new database. */
const dataDir = newDataDir();
let server: ServerProcess;
const start = async (env: Record<string, string> = {}) => {
  server = await startServerProcess(await freePort(), { DATA_DIR: dataDir, PROCESSES: '2', ...env });
};
afterAll(endAll);

interface Line {
  pid: number;
  msg: string;
  route?: string;
}
const lines = (): Line[] =>
  server
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));
const pidsThat = (isMeant: (line: Line) => boolean) =>
  new Set(
    lines()
      .filter(isMeant)
      .map(({ pid }) => pid),
  );
/** API processes that ever listened. */
const listened = (): number[] => [...pidsThat(({ msg }) => msg.startsWith('Server listening'))];
const answered = (route: string) => pidsThat((line) => line.route === route);
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const alive = (): number[] => listened().filter(isAlive);
/** The API processes, when the log has both. */
const both = () =>
  eventually(() => {
    expect(alive()).toHaveLength(2);
    return alive() as [number, number];
  });

const newCard = async (): Promise<string> => {
  const { status, body } = await call(server.url, 'POST', CARDS, consumerCard({ spendLimit: 100_000 }));
  expect({ status, body }).toMatchObject({ status: 201 });
  return JSON.parse(body).id;
};
const AUTHORIZATIONS = '/api/v1/sandbox/authorizations/';
const authorize = (cardId: string, id: string) =>
  call(server.url, 'POST', AUTHORIZATIONS, { card_id: cardId, amount: '1.00', external_transaction_id: id });
const approvals = async (): Promise<number> => {
  const { body } = await call(server.url, 'GET', '/metrics');
  return Number(/^emboss_authorizations_total\{outcome="approved"\} (\d+)$/m.exec(body)?.[1]);
};

describe('PROCESSES=2', () => {
  beforeAll(() => start());

  test('at `ready` two processes answer on one port, and the process that supervises them answers nothing', async () => {
    await eventually(async () => {
      await Promise.all(Array.from({ length: 16 }, () => call(server.url, 'GET', CARDS)));
      expect(answered(CARDS).size).toBe(2);
    });
    expect([...answered(CARDS)].sort()).toEqual((await both()).sort());
    expect(listened()).not.toContain(server.child.pid);
  });

  test('each of them answers /metrics with the sum, the newest start and the connections of all', async () => {
    const cardId = await newCard();
    await Promise.all(Array.from({ length: 12 }, () => authorize(cardId, randomUUID())));
    const texts: string[] = [];
    await eventually(async () => {
      texts.push((await call(server.url, 'GET', '/metrics')).body);
      expect(answered('/metrics').size).toBe(2);
    });
    for (const text of texts) {
      expect(text).toContain('\nemboss_authorizations_total{outcome="approved"} 12\n');
      expect(text.match(/^emboss_authorizations_total\{outcome="approved"\}/gm)).toHaveLength(1);
      const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
      expect(value('process_start_time_seconds')).toBeGreaterThan(Date.now() / 1000 - 300);
      expect(value('process_start_time_seconds')).toBeLessThan(Date.now() / 1000 + 1);
      expect(value('nodejs_eventloop_lag_p99_seconds')).toBeLessThan(60);
      // One of the worker in the supervising process, and at least one of each API process.
      expect(value('emboss_database_connections\\{state="total"\\}')).toBeGreaterThanOrEqual(3);
    }
  });

  test('connections that no API process takes do not fill the process that supervises them', async () => {
    const files = () => readdirSync(`/proc/${server.child.pid}/fd`).length;
    const before = files();
    const pids = await both();
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    try {
      for (let count = 0; count < 300; count++) {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
        await once(socket, 'connect');
        socket.resetAndDestroy();
      }
      expect(files() - before).toBeLessThan(30);
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
    await eventually(() => call(server.url, 'GET', CARDS));
  });

  test('SIGUSR1 opens no debugger in an API process', async () => {
    const [pid] = await both();
    process.kill(pid, 'SIGUSR1');
    for (let count = 0; count < 8; count++) await call(server.url, 'GET', CARDS);
    expect(isAlive(pid)).toBe(true);
    expect(server.stderr()).not.toContain('Debugger listening');
  });

  test('kill -9 of one: the other goes on, a new one follows, and no authorization is lost or doubled', async () => {
    const cardId = await newCard();
    const [victim, survivor] = await both();
    let isBack = false;
    let meanwhile = 0;
    const sent: string[] = [];
    /** As the network does it: an authorization without a response is sent again with its id. */
    const client = async (): Promise<void> => {
      while (!isBack) {
        const id = randomUUID();
        sent.push(id);
        const { status, body } = await eventually(() => authorize(cardId, id));
        expect({ status, body: JSON.parse(body) }).toMatchObject({ status: 200, body: { approved: true } });
        if (!isAlive(victim)) meanwhile++;
        // The new process needs the machine too.
        await pause(20);
      }
    };
    const clients = Promise.all(Array.from({ length: 8 }, client));
    await eventually(() => expect(sent.length).toBeGreaterThan(100));
    const counted = await approvals();
    process.kill(victim, 'SIGKILL');
    // A sum that falls would look to Prometheus like a restart.
    expect(await eventually(approvals)).toBeGreaterThanOrEqual(counted);
    const [, successor] = await eventually(() => {
      expect(listened()).toHaveLength(3);
      return alive();
    });
    await eventually(() => expect(answered(AUTHORIZATIONS)).toContain(successor));
    isBack = true;
    await clients;
    expect(alive()).toEqual([survivor, successor]);
    expect(meanwhile).toBeGreaterThan(0);
    expect(lines().map(({ msg }) => msg)).toContain('an API process ended; a new one starts in 1 s');

    const stored = await sql<{ id: string }>(
      embeddedUrl(dataDir),
      'select external_transaction_id as id from transactions where card_id = $1',
      [cardId],
    );
    expect(stored.map(({ id }) => id).sort()).toEqual(sent.sort());
    const card = JSON.parse((await call(server.url, 'GET', `${CARDS}${cardId}/`)).body);
    expect(card.availableCredit).toBe(100_000 - sent.length);
    expect(await approvals()).toBeGreaterThanOrEqual(counted + meanwhile);
  });

  test('Ctrl-C, which reaches all processes: requests in progress finish, then everything ends', async () => {
    const cards = await holdTable(embeddedUrl(dataDir), 'cards');
    const inFlight = Promise.all(Array.from({ length: 8 }, newCard));
    await eventually(async () => expect(await cards.waiting()).toBeGreaterThanOrEqual(8));
    for (const pid of alive()) process.kill(pid, 'SIGINT');
    const exit = server.kill('SIGINT');
    await eventually(() => expect(call(server.url, 'GET', '/health/live')).rejects.toThrow('ECONNREFUSED'));
    await cards.release();
    await inFlight;
    expect(await exit).toBe(0);
    expect(alive()).toEqual([]);
    expect(postmasterOf(dataDir)).toBeUndefined();
  });
});

describe('PROCESSES=2 with MAX_CONNECTIONS=4', () => {
  // Behind a proxy one address may use all connections.
  beforeAll(() => start({ MAX_CONNECTIONS: '4', TRUST_PROXY: 'loopback' }));

  test('connections beyond the limit of all processes together are closed', async () => {
    await both();
    const sockets: Socket[] = [];
    let closed = 0;
    const open = () => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.on('error', () => {}).on('close', () => closed++);
      sockets.push(socket);
    };
    for (let count = 0; count < 20; count++) open();
    await eventually(() => expect(sockets.length - closed).toBeLessThanOrEqual(4));
    // One process may have taken them all and kept its own share of two: the rest is left to the other.
    await eventually(() => {
      if (sockets.length - closed < 4) open();
      expect(sockets.length - closed).toBe(4);
    });
    for (const socket of sockets) socket.destroy();
    await eventually(() => call(server.url, 'GET', CARDS));
  });

  test('kill -9 of the supervising process ends the API processes and PostgreSQL', async () => {
    await both();
    expect(await server.kill('SIGKILL')).toBe('SIGKILL');
    await eventually(() => expect(alive()).toEqual([]));
    await eventually(() => expect(postmasterOf(dataDir)).toBeUndefined());
  });
});
