import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface LoadRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: unknown;
}

export interface LoadTarget {
  /** `http://127.0.0.1:port` */
  url: string;
  key: string;
  /** The header of the key. Default: the merchant's. */
  keyHeader?: 'x-payments-api-key' | 'x-network-key' | 'cookie';
}

export interface LoadResult {
  perSecond: number;
  /** Of each request, in the order of the answers. */
  latenciesMs: number[];
}

/**
 * Sends `count` requests over `connections` kept-alive connections, each as soon as the one before it on its
 * connection is answered. It speaks just enough HTTP for our own server: on a machine that the load shares
 * with the server, a full client would take a good part of what is measured. Any status but 2xx is an error. Several
 * targets share the connections. All connections are open before the first request: Node accepts one in each turn of its
 * event loop, which takes long once it is busy.
 */
export async function sendLoad(
  target: LoadTarget | readonly LoadTarget[],
  connections: number,
  count: number,
  makeRequest: (index: number, target: number) => LoadRequest,
): Promise<LoadResult> {
  const targets = [target].flat();
  const lines = await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      openLine(targets[index % targets.length] as LoadTarget),
    ),
  );
  const latenciesMs: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    lines.map(async (line, index) => {
      while (next < count) {
        const sent = performance.now();
        await line.send(makeRequest(next++, index % targets.length));
        latenciesMs.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const line of lines) line.close();
  return { perSecond: count / seconds, latenciesMs };
}

/**
 * Sends requests at a steady rate, whether or not earlier ones are answered, each on a connection that is free; a
 * latency counts from the moment the request was due, so that waiting for a free connection is not forgotten.
 */
export async function sendPaced(
  target: LoadTarget,
  connections: number,
  perSecond: number,
  count: number,
  makeRequest: (index: number) => LoadRequest,
): Promise<number[]> {
  const lines = await Promise.all(Array.from({ length: connections }, () => openLine(target)));
  const latenciesMs: number[] = [];
  const started = performance.now();
  let next = 0;
  await Promise.all(
    lines.map(async (line) => {
      while (next < count) {
        const index = next++;
        const dueMs = started + (index * 1000) / perSecond;
        const early = dueMs - performance.now();
        if (early > 0) await pause(early);
        await line.send(makeRequest(index));
        latenciesMs.push(performance.now() - dueMs);
      }
    }),
  );
  for (const line of lines) line.close();
  return latenciesMs;
}

export interface Line {
  /** Resolves with the body of a 2xx answer. */
  send(request: LoadRequest): Promise<string>;
  close(): void;
}

/** One kept-alive connection, one request at a time. */
export async function openLine({ url, key, keyHeader = 'x-payments-api-key' }: LoadTarget): Promise<Line> {
  const { hostname, port } = new URL(url);
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opened = connect(Number(port), hostname, () => resolve(opened)).once('error', reject);
  });
  socket.setNoDelay(true);
  let waiting: { resolve: (body: string) => void; reject: (error: Error) => void } | undefined;
  let received = '';
  const fail = (error: Error) => waiting?.reject(error);
  socket.on('error', fail).on('close', () => fail(new Error('the server closed the connection')));
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    const answer = readAnswer(received);
    if (!answer) return;
    received = '';
    const { resolve, reject } = waiting as NonNullable<typeof waiting>;
    waiting = undefined;
    if (answer.status >= 200 && answer.status < 300) resolve(answer.body);
    else reject(new Error(`the server answered ${answer.status}: ${answer.body}`));
  });
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        // The server closes connections that are idle for long.
        if (socket.destroyed) return reject(new Error('the connection is closed'));
        waiting = { resolve, reject };
        socket.write(writeRequest(request, hostname, `${keyHeader}: ${key}`));
      }),
    close: () => {
      waiting = undefined;
      socket.destroy();
    },
  };
}

function writeRequest({ method, path, body }: LoadRequest, host: string, keyLine: string): string {
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${keyLine}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const text = JSON.stringify(body);
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** Undefined until the answer is complete. */
function readAnswer(text: string): { status: number; body: string } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = text.slice(0, end);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
  if (Number.isNaN(length)) throw new Error('an answer without content-length');
  if (text.length < end + 4 + length) return undefined;
  return { status: Number(head.slice(9, 12)), body: text.slice(end + 4) };
}
