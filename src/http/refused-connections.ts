import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '../kernel/ids.ts';
import { errorBody } from './errors.ts';

type Refusal = readonly [status: number, text: string, message: string];

const BAD_REQUEST: Refusal = [400, 'Bad Request', 'The request is not valid HTTP'];
const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'headers: are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive'],
};

/** What Node's parser refuses never reaches a route; it gets the same error body all the same. */
export function clientErrorHandler(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else refuse(socket, REFUSALS[error.code ?? ''] ?? BAD_REQUEST);
}

/** Requests that Node would answer by itself, with an empty body or not at all. */
export function answerOddRequests(server: Server): void {
  server.on('connect', (_request, socket) =>
    refuse(socket, [405, 'Method Not Allowed', 'This server is no proxy']),
  );
  // An expectation we do not know asks for nothing we could fail at: the request is served as it is.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

function refuse(socket: Duplex, [status, text, message]: Refusal): void {
  const body = JSON.stringify(errorBody(status, message));
  socket.end(
    [
      `HTTP/1.1 ${status} ${text}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: req_${newId(Date.now())}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
