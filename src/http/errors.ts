import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import { EmbossError } from '../kernel/error.ts';
import { tooLarge } from './body.ts';

export const errorBody = (code: number, message: string) => ({ code, message, status: 'failed' as const });

/** Our messages for errors that Fastify raises. Its other 4xx errors keep their status. */
const FRAMEWORK_ERRORS: Record<string, [number, string]> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'body: must have the length that content-length gives'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'body: is required'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'body: must be JSON'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [400, 'content-type: must be application/json'],
  // A path that cannot be decoded is an unknown path.
  FST_ERR_BAD_URL: [404, 'Record not found'],
};

/** Delays each 429, so that a client which ignores it is slowed down anyway. */
export const TOO_OFTEN_DELAY_MS = 500;

/** Handles every thrown error: one body, and one place that decides what a client may read. */
export async function sendError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const answer = answerTo(error, request);
  if (answer.status === 429) await pause(TOO_OFTEN_DELAY_MS);
  if (answer.status >= 500 && !isClientGone(error, request))
    request.log.error({ reqId: request.id, err: error }, 'request failed');
  // The unread rest of a body must not be parsed as the next request on this connection.
  if (answer.status === 413) reply.header('connection', 'close');
  if (error instanceof EmbossError && error.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(error.retryAfterSeconds));
  return reply
    .code(answer.status)
    .type('application/json; charset=utf-8')
    .send(errorBody(answer.code, answer.message));
}

/** The client went away before the headers of a file were sent. */
const isClientGone = (error: FastifyError | Error, { raw }: FastifyRequest): boolean =>
  'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE' && raw.socket.destroyed;

function answerTo(
  error: FastifyError | Error,
  request: FastifyRequest,
): { status: number; code: number; message: string } {
  if (error instanceof EmbossError) {
    // The client can quote the id, which is also in the log.
    const suffix = error.httpStatus === 500 ? ` (request ${request.id})` : '';
    return { status: error.httpStatus, code: error.code, message: maskCardNumbers(error.message) + suffix };
  }
  const { code = '', statusCode = 500 } = error as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { status: 413, code: 413, message: tooLarge(request) };
  const [status, message] = FRAMEWORK_ERRORS[code] ?? [statusCode, 'The request is malformed'];
  if (status >= 400 && status < 500) return { status, code: status, message };
  return { status: 500, code: 500, message: `Internal error (request ${request.id})` };
}
