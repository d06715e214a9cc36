import { afterEach, describe, expect, test } from 'vitest';
import { LOCAL_ADDRESSES } from '../../test/support/webhooks/addresses.ts';
import {
  answerWith,
  type Receiver,
  startRawReceiver,
  startReceiver,
} from '../../test/support/webhooks/receiver.ts';
import { createAddressRules } from './address-rules.ts';
import { createSender, type Sender, type SendRequest, type SendResult } from './send-request.ts';

const closers: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function sender(addresses = LOCAL_ADDRESSES): Sender {
  const made = createSender(addresses);
  closers.push(made.closeAgents);
  return made;
}
async function opened(starting: Promise<Receiver>): Promise<Receiver> {
  const receiver = await starting;
  closers.push(receiver.close);
  return receiver;
}

const MOST_BYTES = 2_000;
const post = (from: Sender, url: string, more: Partial<SendRequest>): Promise<SendResult> =>
  from.sendRequest({ url, headers: {}, body: '{}', reach: 'sandbox', timeoutMs: 5_000, ...more });
const postWhole = (from: Sender, url: string, more: Partial<SendRequest> = {}): Promise<SendResult> =>
  post(from, url, { wholeAnswerBytes: MOST_BYTES, ...more });

/** A receiver that responds to each request with these parts, 30 ms apart, and then keeps the connection. */
const says = (...parts: string[]) =>
  opened(
    startRawReceiver((socket) => {
      socket.on('data', () => {
        for (const [place, part] of parts.entries()) setTimeout(() => socket.write(part), place * 30);
      });
    }),
  );

const OK = 'HTTP/1.1 200 OK\r\n';
const LONG = `${OK}content-length: 10\r\n\r\n`;
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const ENDLESS = `${OK}\r\n`;
const durationMs = expect.any(Number);

describe('a whole answer', () => {
  /** Bytes that are not text, then a card number. */
  const bytesOf = (size: number) =>
    Buffer.alloc(size, Buffer.from([0xff, 0, 0xc3])).fill('4111111111111111 ', Math.min(size, 3));

  test.each([0, 1, MOST_BYTES - 1, MOST_BYTES])(
    'of %i bytes arrives exactly as it was sent',
    async (size) => {
      const body = bytesOf(size);
      const receiver = await opened(startReceiver((_request, response) => void response.end(body)));
      const from = sender();
      for (let count = 0; count < 3; count += 1)
        expect(await postWhole(from, receiver.url)).toMatchObject({ statusCode: 200, answer: body });
      expect(receiver.connections).toEqual({ made: 1, open: 1 });
    },
  );

  test.each([MOST_BYTES + 1, 50_000])('of %i bytes is too long: its status counts', async (size) => {
    const receiver = await opened(startReceiver(answerWith(200, 'a'.repeat(size))));
    const from = sender();
    expect(await postWhole(from, receiver.url)).toEqual({
      statusCode: 200,
      retryAfter: undefined,
      answerStart: 'a'.repeat(1024),
      answer: undefined,
      durationMs,
    });
    await expect.poll(() => receiver.connections.open).toBe(0);
    await postWhole(from, receiver.url);
    expect(receiver.connections.made).toBe(2);
  });

  test.each([
    [128, { answer: Buffer.from('a'.repeat(128)) }],
    [129, { answer: undefined }],
  ])('in %i chunks: more than 128 are too long', async (chunks, expected) => {
    const receiver = await says(`${CHUNKED}${'1\r\na\r\n'.repeat(chunks)}0\r\n\r\n`);
    expect(await postWhole(sender(), receiver.url)).toMatchObject({ statusCode: 200, ...expected });
  });

  test('that is too long is not waited for', async () => {
    const receiver = await says(`${OK}content-length: 60000\r\n\r\n${'a'.repeat(MOST_BYTES + 1)}`);
    expect(await postWhole(sender(), receiver.url)).toMatchObject({ statusCode: 200, answer: undefined });
    await expect.poll(() => receiver.connections.open).toBe(0);
  });

  test('may be longer than what is read of other answers', async () => {
    const body = Buffer.alloc(65_536, 'a');
    const receiver = await opened(startReceiver((_request, response) => void response.end(body)));
    const result = await postWhole(sender(), receiver.url, { wholeAnswerBytes: body.length });
    expect('answer' in result && result.answer?.equals(body)).toBe(true);
  });

  test.each<[string, string[]]>([
    ['with a length', [LONG, '01234', '5678', '9']],
    ['in chunks', [CHUNKED, '5\r\n01234\r\n', '5\r\n56', '789\r\n', '0\r\n\r\n']],
  ])('%s is waited for to its last byte', async (_what, parts) => {
    const receiver = await says(...parts);
    expect(await postWhole(sender(), receiver.url)).toMatchObject({ answer: Buffer.from('0123456789') });
  });

  test('without a length ends with the connection', async () => {
    const receiver = await opened(
      startRawReceiver((socket) => void socket.once('data', () => socket.end(`${ENDLESS}0123456789`))),
    );
    expect(await postWhole(sender(), receiver.url)).toMatchObject({ answer: Buffer.from('0123456789') });
  });

  test('also arrives from an address whose responses are not shown', async () => {
    const receiver = await opened(startReceiver(answerWith(200, 'yes')));
    const silent = createAddressRules({ loopback: 'silent', privateRanges: [], sandboxPrograms: true });
    expect(await postWhole(sender(silent), receiver.url)).toMatchObject({
      answerStart: '',
      answer: Buffer.from('yes'),
    });
  });

  test('is returned only if it was requested', async () => {
    const receiver = await opened(startReceiver(answerWith(200, 'yes')));
    expect(await post(sender(), receiver.url, {})).toMatchObject({ answerStart: 'yes', answer: undefined });
  });
});

describe('a failure', () => {
  test.each<[string, string[]]>([
    ['never begins', [LONG]],
    ['lacks its last byte', [LONG, '012345678']],
    ['lacks its last chunk', [CHUNKED, '5\r\n01234\r\n']],
    ['has no length and does not end', [ENDLESS, '01234']],
    ['comes too slowly', [LONG, ...'0123456789']],
  ])('is a timeout if the body %s', async (_what, parts) => {
    const receiver = await says(...parts);
    const result = await postWhole(sender(), receiver.url, { timeoutMs: 200 });
    expect(result).toEqual({ error: 'no complete response within 0.2 s', kind: 'timeout', durationMs });
    expect(result.durationMs).toBeGreaterThanOrEqual(199);
    expect(result.durationMs).toBeLessThan(1_500);
    await expect.poll(() => receiver.connections.open).toBe(0);
  });

  test.each<[string, string, Array<'end' | 'resetAndDestroy'>]>([
    ['with a length', `${LONG}012345678`, ['end', 'resetAndDestroy']],
    ['in chunks', `${CHUNKED}5\r\n01234\r\n`, ['end', 'resetAndDestroy']],
    ['without a length', `${ENDLESS}01234`, ['resetAndDestroy']],
  ])(
    'is a lost connection if a body %s breaks off, even on a reused connection',
    async (_what, text, ends) => {
      for (const end of ends) {
        const receiver = await opened(
          startRawReceiver((socket) => {
            socket.once('data', () => {
              socket.write(`${LONG}0123456789`);
              // The pause lets the text arrive: a reset discards what was not read.
              socket.once('data', () => socket.write(text, () => setTimeout(() => socket[end](), 50)));
            });
          }),
        );
        const from = sender();
        expect(await postWhole(from, receiver.url)).toMatchObject({ statusCode: 200 });
        const lost = { error: 'connection lost', kind: 'unreachable', durationMs };
        expect(await postWhole(from, receiver.url)).toEqual(lost);
        expect(receiver.connections.made).toBe(1);
      }
    },
  );

  test('is named if the chunks of a body are malformed', async () => {
    const receiver = await says(`${CHUNKED}3\r\nabc\r\nzzz\r\n`);
    const failure = { error: 'response is not HTTP', kind: 'unreachable', durationMs };
    expect(await postWhole(sender(), receiver.url)).toEqual(failure);
    await expect.poll(() => receiver.connections.open).toBe(0);
  });

  test('is an abort signal within the body', async () => {
    const receiver = await says(LONG, '01234');
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    const failure = { error: 'cancelled: the server is stopping', kind: 'unreachable', durationMs };
    expect(await postWhole(sender(), receiver.url, { signal: stop.signal })).toEqual(failure);
    await expect.poll(() => receiver.connections.open).toBe(0);
  });

  test('of the time limit differs from that of a refused connection', async () => {
    const receiver = await says();
    const limit = { timeoutMs: 200 };
    const late = { error: 'no response within 0.2 s', kind: 'timeout', durationMs };
    expect(await postWhole(sender(), receiver.url, limit)).toEqual(late);
    const refused = { error: 'connection refused', kind: 'unreachable', durationMs };
    expect(await postWhole(sender(), 'http://127.0.0.1:1/', limit)).toEqual(refused);
  });
});

test('a request is sent again if an idle connection breaks', async () => {
  const receiver = await opened(
    startRawReceiver((socket, count) => {
      socket.once('data', () => {
        socket.write(`${LONG}0123456789`);
        if (count === 1) socket.once('data', () => socket.resetAndDestroy());
      });
    }),
  );
  const from = sender();
  for (let count = 0; count < 2; count += 1)
    expect(await postWhole(from, receiver.url)).toMatchObject({ answer: Buffer.from('0123456789') });
  expect(receiver.connections.made).toBe(2);
});
