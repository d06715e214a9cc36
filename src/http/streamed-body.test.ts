import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_METRICS } from '../kernel/metric.ts';
import type { BodyConfig } from './body.ts';
import { type App, createServer } from './server.ts';
import { streamedBody } from './streamed-body.ts';

const MOST = 100_000;
const CONFIG: BodyConfig = { streamed: ['text/csv'], bodyBounds: { bytes: MOST, values: 0 } };
const TOO_LARGE = { code: 413, message: `body: must be at most ${MOST} bytes`, status: 'failed' };

let app: App;
let port: number;
/** The chunks that the last route has got. */
const chunks: Buffer[] = [];

beforeAll(async () => {
  // A request may take no time at all.
  const patience = { requestTimeout: 100, headersTimeout: 50, connectionsCheckingInterval: 20 };
  app = await createServer(pino({ level: 'silent' }), NO_METRICS, { patience });
  app.post('/all/', { config: CONFIG as object }, async (given) => {
    chunks.splice(0);
    let bytes = 0;
    for await (const chunk of streamedBody(given)) {
      chunks.push(chunk);
      bytes += chunk.length;
    }
    return { bytes };
  });
  app.post('/first/', { config: CONFIG as object }, async (given) => {
    for await (const chunk of streamedBody(given)) return { bytes: chunk.length };
    return { bytes: 0 };
  });
  app.post('/none/', async () => ({}));
  await app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = app.server.address() as AddressInfo);
});
afterAll(() => app.close());

/** A request whose body the test sends. */
function open(path: string, headers: Record<string, string> = {}) {
  const sent = request({ port, path, method: 'POST', headers: { 'content-type': 'text/csv', ...headers } });
  sent.on('error', () => {});
  const answer = once(sent, 'response').then(async ([response]) => {
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return JSON.parse(text);
  });
  answer.catch(() => {});
  return { sent, answer };
}

describe('a streamed body', () => {
  test('is read to its end, and overwritten', async () => {
    const { sent, answer } = open('/all/');
    sent.write('a'.repeat(MOST - 10));
    sent.end('b'.repeat(10));
    expect(await answer).toEqual({ bytes: MOST });
    expect(chunks.every((chunk) => chunk.every((byte) => byte === 0))).toBe(true);
  });

  test('over its bound is a 413, by its length or when it is over', async () => {
    const { sent, answer } = open('/all/', { 'content-length': String(MOST + 1) });
    sent.write('a');
    expect(await answer).toEqual(TOO_LARGE);
    sent.destroy();
    const { sent: chunked, answer: refusal } = open('/all/');
    chunked.end('a'.repeat(MOST + 1));
    expect(await refusal).toEqual(TOO_LARGE);
  });

  test('may take longer than a request, which others may not', async () => {
    const { sent, answer } = open('/all/');
    sent.write('a');
    const other = open('/none/', { 'content-type': 'application/json' });
    other.sent.write('{');
    expect((await other.answer).code).toBe(408);
    sent.end('b');
    expect(await answer).toEqual({ bytes: 2 });
  });

  test('of which a route reads a part gets its answer', async () => {
    const { sent, answer } = open('/first/');
    sent.write('abc');
    expect(await answer).toEqual({ bytes: 3 });
    sent.destroy();
  });
});
