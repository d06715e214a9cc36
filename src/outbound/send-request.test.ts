import { afterEach, describe, expect, test, vi } from 'vitest';
import { LOCAL_ADDRESSES } from '../../test/support/webhooks/addresses.ts';
import {
  answerWith,
  type Receiver,
  startRawReceiver,
  startReceiver,
} from '../../test/support/webhooks/receiver.ts';
import {
  createSender,
  type Sender,
  type SenderOptions,
  type SendRequest,
  type SendResult,
} from './send-request.ts';

const closers: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function sender(options?: SenderOptions): Sender {
  const made = createSender(LOCAL_ADDRESSES, options);
  closers.push(made.closeAgents);
  return made;
}
async function opened(starting: Promise<Receiver>): Promise<Receiver> {
  const receiver = await starting;
  closers.push(receiver.close);
  return receiver;
}

const headers = {
  'content-type': 'application/json',
  'webhook-id': '019a85f2',
  'webhook-signature': 'v1,abc=',
};
const post = (from: Sender, url: string, more: Partial<SendRequest> = {}): Promise<SendResult> =>
  from.sendRequest({ url, headers, body: '{}', reach: 'sandbox', timeoutMs: 5_000, ...more });

/** A resolver that returns these addresses for every name. */
const resolveTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** A receiver that responds with this text and then sends nothing more. */
const says = (text: string) =>
  opened(startRawReceiver((socket) => void socket.once('data', () => socket.write(text))));
const LIMIT = { timeoutMs: 150 };
const TOO_SLOW = { error: 'no response within 0.15 s', kind: 'timeout', durationMs: expect.any(Number) };

const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
const DONE = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

describe('interim responses', () => {
  test('up to three come before the response', async () => {
    const receiver = await says(HINTS.repeat(3) + DONE);
    expect(await post(sender(), receiver.url)).toMatchObject({ statusCode: 200, answerStart: 'ok' });
  });

  test('a fourth is an invalid response, whatever follows, and ends the connection', async () => {
    let closed = 0;
    const receiver = await opened(
      startRawReceiver((socket) => {
        socket.once('data', () => socket.write(HINTS.repeat(4) + DONE));
        socket.on('error', () => {}).on('close', () => closed++);
      }),
    );
    for (const wholeAnswerBytes of [undefined, 4_096])
      expect(await post(sender(), receiver.url, wholeAnswerBytes ? { wholeAnswerBytes } : {})).toEqual({
        error: 'too many interim responses',
        kind: 'invalid',
        durationMs: expect.any(Number),
      });
    await vi.waitFor(() => expect(closed).toBe(2));
  });
});

describe('a request', () => {
  test('arrives unchanged, and its response is returned', async () => {
    const receiver = await opened(startReceiver(answerWith(202, 'thanks 😀', { 'retry-after': '7' })));
    const body = JSON.stringify({ text: 'Zoë 東京 😀 \u0000' });
    const result = await post(sender(), `${receiver.url}hooks?a=%20b`, { body });
    expect(result).toEqual({
      statusCode: 202,
      retryAfter: '7',
      answerStart: 'thanks 😀',
      durationMs: expect.any(Number),
    });
    expect(Number.isInteger(result.durationMs)).toBe(true);
    const [arrived] = receiver.arrived;
    expect(arrived).toMatchObject({
      method: 'POST',
      path: '/hooks?a=%20b',
      httpVersion: '1.1',
      headers,
      body,
    });
    expect(arrived?.headers['content-length']).toBe(String(Buffer.byteLength(body)));
  });

  test('and the next ones use the same connection', async () => {
    const receiver = await opened(startReceiver(answerWith(200, 'ok')));
    const from = sender();
    for (let count = 0; count < 20; count += 1) await post(from, receiver.url);
    expect([receiver.arrived.length, receiver.connections.made]).toEqual([20, 1]);
    from.closeAgents();
    await expect.poll(() => receiver.connections.open).toBe(0);
  });

  test.each([200, 204, 299, 301, 302, 307, 308, 400, 404, 410, 429, 500, 503])(
    'status %i is a response',
    async (status) => {
      const receiver = await opened(startReceiver(answerWith(status, '', { 'x-other': 'a' })));
      expect(await post(sender(), receiver.url)).toMatchObject({ statusCode: status, retryAfter: undefined });
    },
  );

  test('a redirect is not followed', async () => {
    const target = await opened(startReceiver(answerWith(200)));
    const receiver = await opened(startReceiver(answerWith(307, '', { location: target.url })));
    const result = await post(sender(), receiver.url);
    expect([result, target.connections.made]).toEqual([expect.objectContaining({ statusCode: 307 }), 0]);
  });

  test('is sent again if an idle connection breaks', async () => {
    const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
    const receiver = await opened(
      startRawReceiver((socket, count) => {
        socket.once('data', () => {
          socket.write(OK);
          socket.once('data', () => (count < 3 ? socket.resetAndDestroy() : socket.write(OK)));
        });
      }),
    );
    const from = sender();
    for (let count = 0; count < 3; count += 1)
      expect(await post(from, receiver.url)).toMatchObject({ statusCode: 200 });
    expect(receiver.connections.made).toBe(3);
  });

  test('ignores proxies in the environment', async () => {
    const proxy = await opened(startReceiver(answerWith(502)));
    const names = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'NODE_USE_ENV_PROXY'];
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.url;
    closers.push(() => {
      for (const name of names) delete process.env[name];
    });
    const receiver = await opened(startReceiver(answerWith(200)));
    expect(await post(sender(), receiver.url)).toMatchObject({ statusCode: 200 });
  });
});

describe('a response', () => {
  test.each<[string, string | Buffer, string]>([
    ['is kept to its first kilobyte', 'a'.repeat(5_000), 'a'.repeat(1024)],
    ['loses a character that the cut went through', `${'a'.repeat(1023)}é`, 'a'.repeat(1023)],
    ['keeps one that just fits', `${'a'.repeat(1022)}éb`, `${'a'.repeat(1022)}é`],
    ['loses control characters', 'a\u0000b\u001b[31mred\r\n\tc\u009d', 'a b [31mred c'],
    ['that is no text is text afterwards', Buffer.from([0xff, 0x41, 0xc3]), '\ufffdA\ufffd'],
    ['may be empty', '', ''],
  ])('%s', async (_what, body, kept) => {
    const receiver = await opened(startReceiver((_request, response) => void response.end(body)));
    expect(await post(sender(), receiver.url)).toMatchObject({ statusCode: 200, answerStart: kept });
  });

  test('without end is cut off, and its status counts', async () => {
    let sentBytes = 0;
    const receiver = await opened(
      startReceiver((_request, response) => {
        const pour = () => {
          let hasRoom = true;
          while (hasRoom && !response.destroyed) {
            hasRoom = response.write('a'.repeat(16_384));
            sentBytes += 16_384;
          }
        };
        response.on('drain', pour);
        pour();
      }),
    );
    const result = await post(sender(), receiver.url);
    expect(result).toMatchObject({ statusCode: 200, answerStart: 'a'.repeat(1024) });
    await expect.poll(() => receiver.connections.open).toBe(0);
    // The limit leaves room for the buffers of the operating system.
    expect(sentBytes).toBeLessThan(16 * 1024 * 1024);
  });

  test.each<[string, string, string]>([
    ['that is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'response is not HTTP'],
    ['with endless headers', `HTTP/1.1 200 OK\r\na: ${'b'.repeat(70_000)}\r\n`, 'response is not HTTP'],
    [
      'that changes the protocol',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'connection lost',
    ],
  ])('%s is a failure', async (_what, text, error) => {
    const receiver = await says(text);
    expect(await post(sender(), receiver.url)).toMatchObject({ error });
  });

  test('with only 1xx statuses is a failure', async () => {
    const receiver = await says('HTTP/1.1 102 Processing\r\n\r\n'.repeat(3));
    expect(await post(sender(), receiver.url, LIMIT)).toEqual(TOO_SLOW);
  });
});

describe('the time limit', () => {
  /** A receiver that sends a byte every 10 ms and never ends. */
  const drips = (start: string) =>
    opened(
      startRawReceiver((socket) => {
        socket.write(start);
        const timer = setInterval(() => socket.write('a'), 10);
        socket.on('close', () => clearInterval(timer));
      }),
    );

  test.each<[string, () => Promise<Receiver>]>([
    ['silence', () => says('')],
    ['a status line that drips', () => drips('HTTP/1.1 200 ')],
    ['headers that drip', () => drips('HTTP/1.1 200 OK\r\nx-header: ')],
  ])('ends %s, and closes the connection', async (_what, start) => {
    const receiver = await start();
    const result = await post(sender(), receiver.url, LIMIT);
    expect(result).toEqual(TOO_SLOW);
    expect(result.durationMs).toBeGreaterThanOrEqual(149);
    expect(result.durationMs).toBeLessThan(1_500);
    await expect.poll(() => receiver.connections.open).toBe(0);
  });

  test.each<[string, string, (start: string) => Promise<Receiver>, RegExp]>([
    ['drips', 'HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\na', drips, /^a+$/],
    ['stops', 'HTTP/1.1 410 Gone\r\ncontent-length: 10\r\n\r\nabc', says, /^abc$/],
    ['never begins', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', says, /^$/],
  ])('ends a body that %s, and its status counts', async (_what, text, start, kept) => {
    const receiver = await start(text);
    const from = sender();
    // Long enough for the headers to arrive, even on a busy machine.
    const limit = { timeoutMs: 600 };
    const result = await post(from, receiver.url, limit);
    expect(result).toEqual({
      statusCode: Number(text.slice(9, 12)),
      retryAfter: undefined,
      answerStart: expect.stringMatching(kept),
      durationMs: expect.any(Number),
    });
    expect(result.durationMs).toBeGreaterThanOrEqual(599);
    expect(result.durationMs).toBeLessThan(2_500);
    await expect.poll(() => receiver.connections.open).toBe(0);
    await post(from, receiver.url, limit);
    expect(receiver.connections.made).toBe(2);
  });

  test('ends a TLS handshake that stops', async () => {
    const receiver = await says('');
    expect(await post(sender(), `https://127.0.0.1:${receiver.port}/`, LIMIT)).toEqual(TOO_SLOW);
    await expect.poll(() => receiver.connections.open).toBe(0);
  });

  test('ends the wait for a silent name server', async () => {
    const from = sender({ resolve: () => new Promise(() => {}) });
    for (const reach of ['live', 'sandbox'] as const)
      expect(await post(from, 'http://silent.example/', { ...LIMIT, reach })).toEqual(TOO_SLOW);
  });

  test('leaves no connections and no timers, for any outcome', async () => {
    const count = () =>
      process
        .getActiveResourcesInfo()
        .filter((kind) => /^(Timeout|TCPSocketWrap|TLSWrap|TCPConnectWrap)$/.test(kind)).length;
    const receiver = await says('');
    const from = sender();
    const before = count();
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0 ? post(from, receiver.url, LIMIT) : post(from, 'http://127.0.0.1:1/'),
      ),
    );
    expect(new Set(results.map((result) => 'error' in result && result.error))).toEqual(
      new Set(['no response within 0.15 s', 'connection refused']),
    );
    await expect.poll(() => receiver.connections.open).toBe(0);
    await expect.poll(count).toBeLessThanOrEqual(before);
  });
});

describe('a failure', () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error('v1,abc='), { code }));

  test.each<[string, string, SenderOptions['resolve'], string]>([
    ['a closed port', 'http://127.0.0.1:1/', undefined, 'connection refused'],
    [
      'closed ports of several addresses',
      'http://a.example:1/',
      resolveTo('127.0.0.1', '::1'),
      'connection refused',
    ],
    ['an unknown name', 'http://a.example/', failing('ENOTFOUND'), 'host name not found'],
    ['a name without address', 'http://a.example/', resolveTo(), 'host name not found'],
    [
      'a name server that is unavailable',
      'http://a.example/',
      failing('ECONNREFUSED'),
      'DNS server did not respond',
    ],
    ['a name server that is ill', 'http://a.example/', failing('ESERVFAIL'), 'DNS server did not respond'],
    ['no URL', 'webhooks', undefined, 'request failed: ERR_INVALID_URL'],
    ['another protocol', 'ftp://127.0.0.1/', undefined, 'request failed: ERR_INVALID_PROTOCOL'],
  ])('%s has a short fixed text', async (_what, url, resolve, error) => {
    const result = await post(sender(resolve && { resolve }), url);
    expect(result).toEqual({ error, kind: 'unreachable', durationMs: expect.any(Number) });
  });

  test('never contains what was sent', async () => {
    const result = await post(sender(), 'http://127.0.0.1:1/', {
      headers: { 'webhook-signature': 'v1,abc=\n' },
    });
    expect(result).toMatchObject({ error: 'request failed: ERR_INVALID_CHAR' });
  });

  test.each([
    ['before the answer', ''],
    ['within the headers', 'HTTP/1.1 200 OK\r\nx-head'],
  ])('a connection that breaks %s', async (_when, text) => {
    for (const end of ['resetAndDestroy', 'end'] as const) {
      const receiver = await opened(
        startRawReceiver((socket) => void socket.once('data', () => socket.write(text, () => socket[end]()))),
      );
      expect(await post(sender(), receiver.url)).toMatchObject({ error: 'connection lost' });
      expect(receiver.connections.made).toBe(1);
    }
  });

  test('a connection that breaks within the body is not a failure: the status has arrived', async () => {
    for (const end of ['resetAndDestroy', 'end'] as const) {
      const text = 'HTTP/1.1 503 Busy\r\nretry-after: 9\r\ncontent-length: 10\r\n\r\nabc';
      const receiver = await opened(
        startRawReceiver((socket) => void socket.once('data', () => socket.write(text, () => socket[end]()))),
      );
      const answer = { statusCode: 503, retryAfter: '9', answerStart: 'abc' };
      expect(await post(sender(), receiver.url)).toMatchObject(answer);
      expect(receiver.connections.made).toBe(1);
    }
  });

  test('a body with malformed chunks is not a failure either', async () => {
    const receiver = await says('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzzz\r\n');
    expect(await post(sender(), receiver.url)).toMatchObject({ statusCode: 200, answerStart: 'abc' });
    await expect.poll(() => receiver.connections.open).toBe(0);
  });

  test('an abort signal stops it, before and during the request', async () => {
    const receiver = await says('');
    const from = sender();
    const stop = new AbortController();
    const underWay = post(from, receiver.url, { signal: stop.signal });
    await expect.poll(() => receiver.connections.open).toBe(1);
    stop.abort();
    expect(await underWay).toMatchObject({ error: 'cancelled: the server is stopping' });
    expect(await post(from, receiver.url, { signal: stop.signal })).toMatchObject({
      error: 'cancelled: the server is stopping',
    });
    await expect.poll(() => receiver.connections.open).toBe(0);
  });
});

test('a second address is tried if the first does not respond', async () => {
  const receiver = await opened(startReceiver(answerWith(200)));
  const from = sender({ resolve: resolveTo('::1', '127.0.0.1') });
  expect(await post(from, `http://a.example:${receiver.port}/`)).toMatchObject({ statusCode: 200 });
});
