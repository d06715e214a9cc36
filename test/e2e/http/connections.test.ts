import { connect, type Socket } from 'node:net';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { CARDS, consumerCard, createCard } from '../../support/cards/cards.ts';
import { holdTable } from '../../support/database/hold-table.ts';
import { memoryLog } from '../../support/server/memory-log.ts';
import { counted } from '../../support/server/metrics.ts';
import { appForTests, startTestApp } from '../../support/server/test-app.ts';

const log = memoryLog('trace');
const app = appForTests({ logger: log.logger });
beforeEach(() => {
  log.text = '';
});

interface Client {
  socket: Socket;
  received: () => string;
  ended: Promise<string>;
}

function open(text: string, at = app.url): Client {
  const { hostname, port } = new URL(at);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  let received = '';
  const ended = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => {
      received += String(chunk);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
  return { socket, received: () => received, ended };
}

const requestText = (method: string, path: string, more = '', body = ''): string =>
  `${method} ${path} HTTP/1.1\r\nhost: emboss.test\r\nx-payments-api-key: ${app.key}\r\n${more}\r\n${body}`;
const CLOSE = 'connection: close\r\n';

interface Line {
  reqId?: string;
  status?: number;
  route?: string;
  msg: string;
}
const lines = (): Line[] =>
  log.text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const answeredLines = (): Line[] => lines().filter(({ status }) => status !== undefined);
const gone = async (route: string): Promise<number> =>
  Object.entries(await counted(app, 'emboss_http_request_duration_seconds_count'))
    .filter(([labels]) => labels.includes(`route="${route}"`) && labels.includes('status="499"'))
    .reduce((sum, [, count]) => sum + count, 0);
const soon = { timeout: 60_000, interval: 10 };

describe('a request whose client disconnects', () => {
  /** Disconnects while the server works on the request, which is completed all the same. */
  async function leaveMeanwhile(table: string, text: string, atWork: number): Promise<void> {
    const held = await holdTable(app.databaseUrl, table);
    try {
      const { socket } = open(text);
      await vi.waitFor(async () => expect(await held.waiting()).toBeGreaterThanOrEqual(atWork), soon);
      socket.destroy();
      await vi.waitFor(() => expect(answeredLines().some(({ status }) => status === 499)).toBe(true), soon);
    } finally {
      await held.release();
    }
  }

  test('is counted and logged once, with status 499', async () => {
    const body = JSON.stringify(consumerCard({ preferredCardName: 'LEFT ALONE' }));
    const before = await gone(CARDS);
    const head = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    await leaveMeanwhile('cards', requestText('POST', CARDS, head, body), 1);
    await vi.waitFor(async () => {
      const { body: list } = await app.call('GET', CARDS);
      expect(list.results.map(({ cardName }: { cardName: string }) => cardName)).toContain('LEFT ALONE');
    }, soon);
    const about = answeredLines().filter((line) => (line as { method?: string }).method === 'POST');
    expect(about).toEqual([
      expect.objectContaining({ route: CARDS, status: 499, msg: 'aborted by the client' }),
    ]);
    expect(await gone(CARDS)).toBe(before + 1);
  });

  test('is counted once for each of several pipelined requests', async () => {
    const { id } = await createCard(app);
    log.text = '';
    const route = `${CARDS}:cardId/`;
    await leaveMeanwhile('cards', requestText('GET', `${CARDS}${id}/`).repeat(3), 3);
    expect(answeredLines().filter((line) => line.route === route)).toHaveLength(3);
    expect(new Set(answeredLines().map(({ reqId }) => reqId)).size).toBe(3);
    expect(await gone(route)).toBe(3);
  });

  test('is counted if it disconnects in the middle of its body', async () => {
    const before = await gone(CARDS);
    const { socket } = open(
      requestText('POST', CARDS, 'content-type: application/json\r\ncontent-length: 900\r\n', '{'),
    );
    await vi.waitFor(() => expect(socket.bytesWritten).toBeGreaterThan(0), soon);
    // Nothing of the request can be seen until it is whole, so another one shows that it has arrived.
    await app.call('GET', '/health/live');
    socket.destroy();
    await vi.waitFor(async () => expect(await gone(CARDS)).toBe(before + 1), soon);
    expect(answeredLines().filter(({ status }) => status === 499)).toHaveLength(1);
    expect(log.text).not.toContain('request failed');
  });
});

describe('several requests in one packet', () => {
  const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

  test('get their responses in order, for any duration of each', async () => {
    const { id } = await createCard(app);
    const held = await holdTable(app.databaseUrl, 'cards');
    const { ended, received } = open(
      requestText('GET', `${CARDS}${id}/`) +
        requestText('GET', '/nowhere') +
        requestText('GET', '/health/live', CLOSE),
    );
    await vi.waitFor(async () => expect(await held.waiting()).toBe(1), soon);
    expect(received()).toBe('');
    await held.release();
    expect(statuses(await ended)).toEqual(['200', '404', '200']);
  });

  test.each([
    ['no HTTP', 'what is this\r\n\r\n', '400'],
    ['another version of HTTP', 'GET / HTTP/2.0\r\nhost: a\r\nconnection: close\r\n\r\n', '400'],
    ['no version of HTTP', 'GET /health/live\r\nhost: a\r\nconnection: close\r\n\r\n', '400'],
    ['headers too large', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
    ['a CONNECT', 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n', '405'],
    [
      'a body that breaks off',
      `POST ${CARDS} HTTP/1.1\r\nhost: a\r\nx-payments-api-key: KEY\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`,
      '400',
    ],
  ])(
    'after an invalid request the connection is closed, and later requests are not executed: %s',
    async (_what, bad, status) => {
      const { id } = await createCard(app);
      const freeze = '{"freeze":true}';
      const after = requestText(
        'PUT',
        `${CARDS}${id}/freeze/`,
        `content-type: application/json\r\ncontent-length: ${freeze.length}\r\n`,
        freeze,
      );
      const broken = bad.replace('KEY', app.key) + after;
      const answer = await open(broken).ended;
      expect(statuses(answer)).toEqual([status]);
      expect(answer).toMatch(/"status":"failed"}$/);
      // While an answer is on its way a refusal could be taken for it: the connection is closed without one.
      const held = await holdTable(app.databaseUrl, 'cards');
      const { ended } = open(requestText('GET', `${CARDS}${id}/`).repeat(2) + broken);
      expect(await ended).toBe('');
      await held.release();
      expect((await app.call('GET', `${CARDS}${id}/`)).body.status).toBe('ACTIVE');
    },
  );
});

describe('odd requests', () => {
  test('an Upgrade header and an unknown Expect header are ignored', async () => {
    for (const odd of [
      'connection: upgrade, close\r\nupgrade: websocket\r\n',
      'expect: a miracle\r\nconnection: close\r\n',
    ])
      expect(await open(requestText('GET', '/health/live', odd)).ended).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('a reset after a CONNECT ends only that connection', async () => {
    for (const wait of [true, false]) {
      const { socket, ended } = open('CONNECT a:1 HTTP/1.1\r\nhost: x\r\n\r\n');
      if (wait) await ended;
      else socket.once('connect', () => socket.resetAndDestroy());
      await ended;
    }
    expect((await app.call('GET', '/health/live')).status).toBe(200);
  });

  test('request ids are random and reveal nothing about other requests', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () =>
        (await app.call('GET', '/health/live')).headers.get('x-request-id'),
      ),
    );
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
    expect(new Set(ids).size).toBe(20);
  });
});

test('a server that stops waits for open requests, and not for the idle connections that they leave', async () => {
  const stopping = await startTestApp();
  const held = await holdTable(stopping.databaseUrl, 'cards');
  const { ended } = open(requestText('GET', CARDS).replace(app.key, stopping.key), stopping.url);
  await vi.waitFor(async () => expect(await held.waiting()).toBe(1), soon);
  const started = performance.now();
  const stopped = stopping.close();
  await held.release();
  expect(await ended).toMatch(/^HTTP\/1\.1 200 /);
  await stopped;
  // An idle connection stays for 72 seconds.
  expect(performance.now() - started).toBeLessThan(60_000);
});
