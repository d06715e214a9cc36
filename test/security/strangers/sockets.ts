import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What an attack did: a test that reads it fails when the attack did nothing. */
export interface Counts {
  /** Connections that were made, and those that the server closed. */
  connected: number;
  closed: number;
  /** Requests that were sent whole. */
  sent: number;
  /** Single bytes sent by slow clients. */
  bytes: number;
  /** Webhooks that arrived at the attacker's receiver. */
  hanging: number;
  /** Answers by their status. */
  answers: Record<string, number>;
}

export const noCounts = (): Counts => ({
  connected: 0,
  closed: 0,
  sent: 0,
  bytes: 0,
  hanging: 0,
  answers: {},
});

/** Where an attack comes from and goes to. */
export interface Wire {
  port: number;
  counts: Counts;
  /** Aborted when the attack ends: then every connection is closed. */
  signal: AbortSignal;
}

type Request = string | Buffer;

function open({ port, counts, signal }: Wire, address: string): Socket {
  const socket = connect({ host: '127.0.0.1', port, localAddress: address, noDelay: true }, () => {
    counts.connected++;
  });
  const cut = () => void socket.destroy();
  signal.addEventListener('abort', cut, { once: true });
  socket.on('error', () => {});
  socket.on('close', () => {
    signal.removeEventListener('abort', cut);
    if (!signal.aborted) counts.closed++;
  });
  return socket;
}

/**
 * Keeps so many connections busy: each sends the next request as soon as the last one is answered, and a connection that
 * the server closes is made again.
 */
export function flood(wire: Wire, connections: number, addresses: string[], next: () => Request): void {
  const start = (index: number) => {
    if (wire.signal.aborted) return;
    const socket = open(wire, addresses[index % addresses.length] as string);
    let received = Buffer.alloc(0);
    const send = () => {
      socket.write(next());
      wire.counts.sent++;
    };
    socket.once('connect', send);
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const answer = readAnswer(received);
      if (!answer) return;
      received = received.subarray(answer.length);
      wire.counts.answers[answer.status] = (wire.counts.answers[answer.status] ?? 0) + 1;
      if (socket.writable) send();
    });
    socket.once('close', () => setImmediate(start, index));
  };
  for (let index = 0; index < connections; index++) start(index);
}

/** One answer with its length in bytes; undefined while it is not there in full. */
function readAnswer(received: Buffer): { status: string; length: number } | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const length = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return received.length < length ? undefined : { status: head.slice(9, 12), length };
}

/** Holds so many connections per address, each after `begin` with a byte a second; those that are closed are made again. */
export async function trickle(
  wire: Wire,
  each: number,
  addresses: string[],
  begin: Request,
  byte: string,
): Promise<void> {
  const held = addresses.map(() => new Set<Socket>());
  while (!wire.signal.aborted) {
    for (const [index, sockets] of held.entries()) {
      for (const socket of sockets)
        if (socket.writable && byte !== '') {
          socket.write(byte);
          wire.counts.bytes++;
        }
      while (sockets.size < each) {
        const socket = open(wire, addresses[index] as string);
        sockets.add(socket);
        socket.once('connect', () => socket.write(begin));
        socket.once('close', () => sockets.delete(socket));
        // Read, so that the server's closing is seen.
        socket.resume();
      }
    }
    await pause(1_000, undefined, { signal: wire.signal }).catch(() => {});
  }
}

/** Connects and closes again, so many at once; with a request, as soon as that is sent. */
export function knock(wire: Wire, atOnce: number, addresses: string[], request?: Request): void {
  const start = (index: number) => {
    if (wire.signal.aborted) return;
    const socket = open(wire, addresses[index % addresses.length] as string);
    socket.once('connect', () => {
      if (request === undefined) return socket.destroy();
      socket.write(request, () => socket.destroy());
      wire.counts.sent++;
    });
    socket.once('close', () => setImmediate(start, index));
  };
  for (let index = 0; index < atOnce; index++) start(index);
}

/** A request as it goes over the wire. */
export function written(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Request {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\nhost: emboss.test\r\n${lines.join('')}`;
  if (body === undefined) return `${head}\r\n`;
  return Buffer.from(
    `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
