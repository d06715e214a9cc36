import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { EmbossError } from '../kernel/error.ts';
import { clientAddress } from './client-address.ts';

/** Clients ask one thing after the other; those that do not are few, and know how to wait. */
const MOST_AT_ONCE = 32;
const TELL_EVERY_MS = 60_000;

/**
 * So many at once and no more, and no address has more than half of them: whoever opens as many as he can leaves the
 * other half to the others. Behind a proxy that is trusted all come from one address, and it is left to the proxy.
 */
export function limitConnections(
  server: Server,
  { most, perAddress }: { most: number; perAddress: boolean },
  onClosed: () => void,
): void {
  if (most === 0) return;
  server.maxConnections = most;
  const open = new Map<string, number>();
  const mostOfOne = Math.ceil(most / 2);
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const tell = () => {
    if (performance.now() - toldAtMs < TELL_EVERY_MS) return;
    toldAtMs = performance.now();
    onClosed();
  };
  server.on('drop', tell);
  if (!perAddress) return;
  server.prependListener('connection', (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress ?? '');
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (count <= mostOfOne) return;
    tell();
    socket.destroy();
  });
}

/** As much of an answer as is looked at here. */
interface Answer {
  request: { raw: IncomingMessage };
  raw: ServerResponse;
}

export interface Unanswered<Reply> {
  /** Throws if the connection has too many already. */
  begin(reply: Reply): void;
  /** False: its client had gone, and that is told already. */
  end(reply: Reply): boolean;
  /** Resolves when all requests that arrived whole on the connection are answered, or it is closed. */
  answered(socket: Duplex): Promise<void>;
  /** Lets answers that are longer than the connection takes at once go on, where Node no longer does. */
  keepFlowing(socket: Duplex): void;
}

/**
 * Node hands over all requests of a connection that have arrived, however many, and keeps their answers until somebody
 * reads them. A thousand fit into one packet: more than a few are refused before anything is done for them. Of those
 * whose connection closes before they are answered Node says nothing, and here it is told, once for each.
 */
export function watchUnanswered<Reply extends Answer>(
  onAbandoned: (reply: Reply) => void,
): Unanswered<Reply> {
  const connections = new WeakMap<Duplex, { replies: Set<Reply>; waiting: Array<() => void> }>();
  const watch = (socket: Duplex) => {
    const connection = { replies: new Set<Reply>(), waiting: [] as Array<() => void> };
    connections.set(socket, connection);
    socket.once('close', () => {
      connections.delete(socket);
      for (const reply of connection.replies) onAbandoned(reply);
      for (const goOn of connection.waiting) goOn();
    });
    return connection;
  };
  /** One that is still arriving will never be answered once what arrives cannot be read. */
  const isArriving = ({ request }: Reply): boolean => !request.raw.complete;
  return {
    begin: (reply) => {
      const { socket } = reply.request.raw;
      const { replies } = connections.get(socket) ?? watch(socket);
      replies.add(reply);
      if (replies.size > MOST_AT_ONCE)
        throw new EmbossError(429, 'Too many requests at once on one connection; wait for their answers', {
          retryAfterSeconds: 1,
        });
    },
    end: (reply) => {
      const connection = connections.get(reply.request.raw.socket);
      const wasOpen = connection?.replies.delete(reply) ?? false;
      if (connection && [...connection.replies].every(isArriving))
        for (const goOn of connection.waiting.splice(0)) goOn();
      return wasOpen;
    },
    answered: async (socket) => {
      const connection = connections.get(socket);
      if (!connection || [...connection.replies].every(isArriving)) return;
      await new Promise<void>((goOn) => connection.waiting.push(goOn));
    },
    keepFlowing: (socket) => {
      socket.on('drain', () => {
        for (const { raw } of connections.get(socket)?.replies ?? []) raw.emit('drain');
      });
    },
  };
}
