import type { Server } from 'node:http';
import type { Socket } from 'node:net';
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

/**
 * Node hands over all requests of a connection that have arrived, however many, and keeps their answers until somebody
 * reads them. A thousand fit into one packet: more than a few are refused before anything is done for them.
 */
export function countUnanswered(): { begin(socket: Socket): void; end(socket: Socket): void } {
  const unanswered = new WeakMap<Socket, number>();
  return {
    begin: (socket) => {
      const count = (unanswered.get(socket) ?? 0) + 1;
      unanswered.set(socket, count);
      if (count > MOST_AT_ONCE)
        throw new EmbossError(429, 'Too many requests at once on one connection; wait for their answers', {
          retryAfterSeconds: 1,
        });
    },
    end: (socket) => {
      unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1);
    },
  };
}
