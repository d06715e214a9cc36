import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { EmbossError } from '../kernel/error.ts';
import { clientAddress } from './client-address.ts';
import { errorBody } from './errors.ts';
import { isStreaming } from './streamed-body.ts';

/** Requests that a client may send on one connection before it has read their answers. */
const MOST_AT_ONCE = 32;
const WARN_EVERY_MS = 60_000;
/** How long a client may take to read a refusal before its connection is cut. */
const REFUSAL_GRACE_MS = 1_000;

/**
 * Bounds the number of open connections. An address may hold as many as are still free: one that opens all it can gets
 * half, a second one a quarter, and an address that has none always finds room. Behind a trusted proxy all connections
 * come from one address, and only the total counts.
 */
export function limitConnections(
  server: Server,
  { most, perAddress }: { most: number; perAddress: boolean },
  onRefused: () => void,
): void {
  if (most === 0) return;
  server.maxConnections = most;
  const open = new Map<string, number>();
  let total = 0;
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  const warn = () => {
    if (performance.now() - warnedAtMs < WARN_EVERY_MS) return;
    warnedAtMs = performance.now();
    onRefused();
  };
  server.on('drop', warn);
  if (!perAddress) return;
  server.prependListener('connection', (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress ?? '');
    const count = open.get(address) ?? 0;
    if (count > 0 && count >= most - total) {
      warn();
      socket.destroy();
      return;
    }
    open.set(address, count + 1);
    total++;
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
      total--;
    });
  });
}

/** The parts of a Fastify reply that are needed here. */
interface Reply {
  request: { raw: IncomingMessage };
  raw: ServerResponse;
}

export interface OpenRequests<Item> {
  /** Throws a 429 if the connection has too many already. */
  begin(reply: Item): void;
  /** False if the connection was closed before, and `onAbandoned` was called. */
  end(reply: Item): boolean;
  /** Whether a request that arrived whole is still being answered. */
  isAnswering(socket: Duplex): boolean;
}

/**
 * Tracks the unanswered requests of each connection. Node accepts any number of them in one packet, so this bounds them.
 * Node also reports nothing about requests whose connection closes before their answer.
 */
export function trackOpenRequests<Item extends Reply>(
  onAbandoned: (reply: Item) => void,
): OpenRequests<Item> {
  // A property of the socket: a weak map would cost each garbage collection a visit of every connection.
  const OPEN = Symbol('open requests');
  const openOn = (socket: Duplex) => (socket as { [OPEN]?: Set<Item> | undefined })[OPEN];
  const track = (socket: Duplex): Set<Item> => {
    const replies = new Set<Item>();
    Object.assign(socket, { [OPEN]: replies });
    socket.once('close', () => {
      Object.assign(socket, { [OPEN]: undefined });
      for (const reply of replies) {
        onAbandoned(reply);
        // Node closes only the response that currently owns the connection. Without this, files of pipelined responses stay open.
        if (!reply.raw.socket) reply.raw.destroy().emit('close');
      }
    });
    return replies;
  };
  return {
    begin: (reply) => {
      const { socket } = reply.request.raw;
      const replies = openOn(socket) ?? track(socket);
      replies.add(reply);
      if (replies.size > MOST_AT_ONCE)
        throw new EmbossError(
          429,
          'Too many concurrent requests on one connection; wait for the responses, then retry',
          { retryAfterSeconds: 1 },
        );
    },
    end: (reply) => openOn(reply.request.raw.socket)?.delete(reply) ?? false,
    isAnswering: (socket) =>
      [...(openOn(socket) ?? [])].some(({ request, raw }) => request.raw.complete || raw.headersSent),
  };
}

const BAD_REQUEST = [400, 'Bad Request', 'The request is not valid HTTP'] as const;
const REFUSALS: Record<string, readonly [status: number, text: string, message: string]> = {
  CONNECT: [405, 'Method Not Allowed', 'This server is not a proxy'],
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'headers: are too large; send fewer or shorter headers',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request was not received in time; retry'],
};

/**
 * Answers requests that Node passes to no route (parse errors and CONNECT) with our error body and closes the
 * connection. While an earlier request is being answered, the client would take a refusal for that answer, so the
 * connection is closed without one.
 */
export const createRefusal =
  (isAnswering: (socket: Duplex) => boolean, newRequestId: () => string) =>
  ({ code = '' }: { code?: string }, socket: Duplex): void => {
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && isStreaming(socket)) return;
    if (code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const [status, text, message] = REFUSALS[code] ?? BAD_REQUEST;
    const body = JSON.stringify(errorBody(status, message));
    socket.end(
      [
        `HTTP/1.1 ${status} ${text}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(body)}`,
        `x-request-id: ${newRequestId()}`,
        'connection: close',
        '',
        body,
      ].join('\r\n'),
    );
    const cut = setTimeout(() => socket.destroy(), REFUSAL_GRACE_MS);
    socket.once('close', () => clearTimeout(cut));
  };
