import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CARDS } from '../../support/cards/cards.ts';
import { readMetrics } from '../../support/server/metrics.ts';
import { appForTests, startTestApp, type TestApp } from '../../support/server/test-app.ts';

/** The product's own patience, but shorter: the order of things stays the same. */
const PATIENCE = {
  connectionTimeout: 1_000,
  requestTimeout: 600,
  headersTimeout: 300,
  keepAliveTimeout: 300,
  connectionsCheckingInterval: 50,
};

const app = appForTests({ server: { patience: PATIENCE } });
const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

interface Client {
  socket: Socket;
  /** All that came, once the server has closed the connection. */
  ended: Promise<string>;
}

function open(text = '', localAddress = '127.0.0.1', to: TestApp = app): Client {
  const { hostname, port } = new URL(to.url);
  const socket = connect({ port: Number(port), host: hostname, localAddress }, () => socket.write(text));
  sockets.push(socket);
  const ended = new Promise<string>((resolve) => {
    let received = '';
    socket.on('data', (chunk) => {
      received += String(chunk);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
  return { socket, ended };
}

/** Writes a byte now and then for as long as the server listens. */
function trickle({ socket }: Client, byte: string): void {
  const timer = setInterval(() => socket.write(byte), 40);
  socket.on('close', () => clearInterval(timer));
}

const HEAD = `POST ${CARDS} HTTP/1.1\r\nhost: emboss.test\r\ncontent-type: application/json\r\n`;
const error = (code: number, message: string) => JSON.stringify({ code, message, status: 'failed' });
const TOO_SLOW = error(408, 'The request was not received in time; retry');

describe('the server closes the connection of a slow client', () => {
  test('that sends nothing', async () => {
    expect(await open().ended).toContain(TOO_SLOW);
  });

  test('with headers that never end', async () => {
    const client = open(`${HEAD}x-slow: `);
    trickle(client, 'a');
    expect(await client.ended).toContain(TOO_SLOW);
  });

  test('with a body that never ends', async () => {
    const client = open(`${HEAD}x-payments-api-key: ${app.key}\r\ncontent-length: 60000\r\n\r\n`);
    trickle(client, ' ');
    expect(await client.ended).toContain('"code":408');
  });

  test('with a chunked body that never ends', async () => {
    const client = open(`${HEAD}x-payments-api-key: ${app.key}\r\ntransfer-encoding: chunked\r\n\r\n`);
    trickle(client, '1\r\n \r\n');
    expect(await client.ended).toContain('"code":408');
  });

  test('that does not close it after the error', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () =>
      socket.write(`${HEAD}x-slow: `),
    );
    sockets.push(socket);
    const refused = new Promise<void>((done) => socket.once('end', done));
    socket.on('error', () => {}).resume();
    await refused;
    // Half open on our side, it would stay for as long as we like; a write meets a connection that is gone.
    const cut = new Promise<void>((done) => socket.once('close', () => done()));
    trickle({ socket, ended: Promise.resolve('') }, 'a');
    await cut;
  });

  test('that does not read the response', async () => {
    const gone = async () =>
      Object.entries(await readMetrics(app, 'emboss_http_request_duration_seconds_count'))
        .filter(([labels]) => labels.includes('route="/openapi.json"') && labels.includes('status="499"'))
        .reduce((sum, [, count]) => sum + count, 0);
    const { socket } = open();
    socket.pause().write('GET /openapi.json HTTP/1.1\r\nhost: emboss.test\r\n\r\n'.repeat(32));
    await vi.waitFor(async () => expect(await gone()).toBeGreaterThan(0), { timeout: 60_000, interval: 50 });
  });

  test('that is idle between two requests', async () => {
    const answered = await open(`GET /health/live HTTP/1.1\r\nhost: emboss.test\r\n\r\n`).ended;
    expect(answered).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('a client that pipelines many requests', () => {
  test('gets a 429 for all but the first, before anything is done for them', async () => {
    const lines = (count: number) =>
      `GET ${CARDS} HTTP/1.1\r\nhost: emboss.test\r\nx-payments-api-key: ${app.key}\r\n\r\n`.repeat(count);
    const statuses = async (count: number) =>
      [...(await open(lines(count)).ended).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(await statuses(30)).toEqual(Array(30).fill('200'));
    const many = await statuses(300);
    expect(many).toHaveLength(300);
    expect(many.slice(0, 32)).toEqual(Array(32).fill('200'));
    expect(many.filter((status) => status === '429').length).toBeGreaterThan(200);
  });
});

describe('a client that opens as many connections as it can', () => {
  let patient: TestApp;
  beforeAll(async () => {
    patient = await startTestApp({ server: { maxConnections: 20 } });
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await patient.close();
  });

  test('gets half of them, a second address gets a quarter, and an address without a connection always gets one', async () => {
    const hold = async (address: string, left: number) => {
      const clients = Array.from({ length: 30 }, () => open('', address, patient));
      const closed = () => clients.filter(({ socket }) => socket.destroyed).length;
      await vi.waitFor(() => expect(closed()).toBe(30 - left), { timeout: 60_000, interval: 20 });
      return clients;
    };
    const clients = [...(await hold('127.0.0.1', 10)), ...(await hold('127.0.0.2', 5))];
    clients.push(...(await hold('127.0.0.3', 3)));
    const request = 'GET /health/live HTTP/1.1\r\nhost: emboss.test\r\nconnection: close\r\n\r\n';
    const from = (address: string) => open(request, address, patient).ended;
    expect(await from('127.0.0.4')).toMatch(/^HTTP\/1.1 200 /);
    expect(await from('127.0.0.1')).toBe('');
    for (const { socket } of clients) socket.destroy();
    await vi.waitFor(async () => expect(await from('127.0.0.1')).toMatch(/^HTTP\/1.1 200 /), {
      timeout: 60_000,
    });
  });

  test('and reads no response does not prevent responses to others', async () => {
    for (let index = 0; index < 5; index++) {
      const { socket } = open('', '127.0.0.2', patient);
      socket.pause().write('GET /openapi.json HTTP/1.1\r\nhost: emboss.test\r\n\r\n'.repeat(400));
    }
    for (let sent = 0; sent < 20; sent++) expect((await patient.call('GET', CARDS)).status).toBe(200);
  });
});
