import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What happens to a request: passed on; cut before the server saw it; cut after the server did it; answered by half;
 * never answered; answered by us.
 */
export type Fault =
  | 'pass'
  | 'cut'
  | 'lose answer'
  | 'stall answer'
  | 'silence'
  | { status: number; headers?: OutgoingHttpHeaders; body?: string };

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

export interface FaultyProxy {
  url: string;
  seen: SeenRequest[];
  /** The faults of the requests to come, in order; after them everything passes. */
  plan(...faults: Fault[]): void;
  /** Ends every connection, in the middle of whatever goes over it. */
  cut(): void;
  close(): Promise<void>;
}

/** Stands between a client and the server, and fails as networks do. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const seen: SeenRequest[] = [];
  const planned: Fault[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { method = 'GET', url: path = '/', headers } = request;
    seen.push({ method, path, headers });
    const fault = planned.shift() ?? 'pass';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (fault === 'cut') return request.socket.destroy();
    if (fault === 'silence') return undefined;
    if (typeof fault === 'object') return response.writeHead(fault.status, fault.headers).end(fault.body);
    const { host: _host, connection: _connection, 'content-length': _length, ...kept } = headers;
    const answer = await fetch(target + path, {
      method,
      headers: kept as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (fault === 'lose answer') return request.socket.destroy();
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      'x-request-id': answer.headers.get('x-request-id') ?? '',
      ...(answer.headers.has('idempotent-replayed') && { 'idempotent-replayed': 'true' }),
      ...(answer.headers.has('content-disposition') && {
        'content-disposition': answer.headers.get('content-disposition') as string,
      }),
    });
    if (fault === 'stall answer') return response.write(body.subarray(0, body.length >> 1));
    return response.end(body);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    plan: (...faults) => {
      seen.length = 0;
      planned.splice(0, planned.length, ...faults);
    },
    cut: () => server.closeAllConnections(),
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}
