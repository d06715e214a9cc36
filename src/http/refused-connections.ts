import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { newId } from '../kernel/ids.ts';
import type { Unanswered } from './connections.ts';
import { errorBody } from './errors.ts';

type Refusal = readonly [status: number, text: string, message: string];

const BAD_REQUEST: Refusal = [400, 'Bad Request', 'The request is not valid HTTP'];
const NO_PROXY: Refusal = [405, 'Method Not Allowed', 'This server is no proxy'];
const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'headers: are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive'],
};

/**
 * What Node's parser refuses never reaches a route; it gets the same error body all the same. What came before it on
 * the connection is answered first: clients know answers by their order alone.
 */
export const createClientErrorHandler =
  ({ answered }: Pick<Unanswered<never>, 'answered'>) =>
  (error: Error & { code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else void refuseAfter(answered(socket), socket, REFUSALS[error.code ?? ''] ?? BAD_REQUEST);
  };

/** Requests that Node would answer by itself, with an empty body or not at all. */
export function answerOddRequests(
  server: Server,
  { answered, keepFlowing }: Pick<Unanswered<never>, 'answered' | 'keepFlowing'>,
): void {
  server.on('connect', (_request, socket) => {
    // Node takes its hands off the connection here, though an answer to what came before may still be on its way: it has
    // to go on, and whoever does not read it is let go as ever.
    keepFlowing(socket);
    (socket as Socket).setTimeout(server.timeout, () => socket.destroy());
    void refuseAfter(answered(socket), socket, NO_PROXY);
  });
  // An expectation we do not know asks for nothing we could fail at: the request is served as it is.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** More may arrive meanwhile, and be refused as well: one refusal ends a connection. */
const refused = new WeakSet<Duplex>();

async function refuseAfter(answered: Promise<void>, socket: Duplex, refusal: Refusal): Promise<void> {
  if (refused.has(socket)) return;
  refused.add(socket);
  await answered;
  if (socket.writable) refuse(socket, refusal);
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
