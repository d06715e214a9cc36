import type { FastifyReply } from 'fastify';

/**
 * Answers with JSON that must not stay: it leaves as bytes, from which no string is made, and they are overwritten once
 * they are sent or the connection is gone.
 */
export function sendFleeting(reply: FastifyReply, json: Buffer): FastifyReply {
  reply.raw.once('close', () => json.fill(0));
  return reply.type('application/json; charset=utf-8').send(json);
}
