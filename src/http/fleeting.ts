import type { FastifyReply } from 'fastify';

/**
 * Sends JSON that must not stay in memory: it is built as bytes, never as a string, and overwritten after it was sent or
 * the connection closed.
 */
export function sendFleeting(reply: FastifyReply, json: Buffer): FastifyReply {
  reply.raw.once('close', () => json.fill(0));
  return reply.type('application/json; charset=utf-8').send(json);
}
