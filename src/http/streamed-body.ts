import type { Duplex } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { EmbossError } from '../kernel/error.ts';
import { boundsOf, tooLarge } from './body.ts';

/** A gibibyte at 2.5 megabits a second. A connection on which nothing moves is closed long before. */
const LONGEST_MS = 3_600_000;

const streaming = new WeakSet<Duplex>();

/** The server's time limit for a request does not apply to a body that its route is reading. */
export const isStreaming = (socket: Duplex): boolean => streaming.has(socket);

/**
 * The body of a route with `streamed` in its config. Throws a 413 beyond the route's bound. Each chunk is overwritten once
 * the next one is requested. The connection stays open for the answer if the reader stops early.
 */
export async function* streamedBody(request: FastifyRequest): AsyncGenerator<Buffer> {
  const { raw } = request;
  const { bytes: most } = boundsOf(request);
  if (Number(raw.headers['content-length'] ?? 0) > most) throw new EmbossError(413, tooLarge(request));
  const { socket } = raw;
  const timer = setTimeout(() => socket.destroy(), LONGEST_MS);
  streaming.add(socket);
  let bytes = 0;
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > most) throw new EmbossError(413, tooLarge(request));
      try {
        yield chunk;
      } finally {
        chunk.fill(0);
      }
    }
  } catch (error) {
    if (error instanceof EmbossError) throw error;
    throw new EmbossError(400, 'The connection was closed before the end of the body', { cause: error });
  } finally {
    clearTimeout(timer);
    streaming.delete(socket);
  }
}
